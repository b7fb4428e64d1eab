const SECRET_NAME = /(?:_SECRETS?|_TOKEN|_JWK|_PASSWORD)$/;
/** Up to the last `@`: a password that is not encoded may contain any character, also `@`, `/` and `?`. */
const USER_AND_PASSWORD = /^([a-z][a-z0-9+.-]*:\/\/).*@/is;
const QUERY = /^([a-z][a-z0-9+.-]*:\/\/[^?]*\?).*$/is;
const MASK = "<redacted>";
const SHOWN_CHARACTERS = 120;

/** Returns whether a setting holds a secret or a private key, so that its value is never shown. Refuses: never. Source: decision P7. */
export function isSecretSetting(name: string): boolean {
  return SECRET_NAME.test(name);
}

/**
 * Returns a setting's value for display: a secret is masked, anything else is shown as `showAddress` does.
 *
 * Refuses: never. Source: decision P7.
 */
export function showSetting(name: string, text: string): string {
  return isSecretSetting(name) ? MASK : showAddress(text);
}

/** Returns a text for display: user, password and query of an address are masked, a long text is cut. Refuses: never. */
export function showAddress(text: string): string {
  const shown = text
    .replace(USER_AND_PASSWORD, `$1${MASK}@`)
    .replace(QUERY, `$1${MASK}`)
    .replaceAll(/\p{Cc}/gu, " ");
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}...` : shown;
}
