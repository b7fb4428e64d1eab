const SECRET_NAME = /(?:_SECRETS?|_TOKEN|_JWK|_PASSWORD)$/;
const ADDRESS_PASSWORD = /^([a-z]+:\/\/[^:@/]*:)[^@]*@/;
const QUERY = /^([a-z]+:\/\/[^?]*\?).*$/s;
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

/** Returns a text for display: the password and the query of an address are masked, a long text is cut. Refuses: never. */
export function showAddress(text: string): string {
  const shown = text
    .replace(ADDRESS_PASSWORD, `$1${MASK}@`)
    .replace(QUERY, `$1${MASK}`)
    .replaceAll(/\p{Cc}/gu, " ");
  return shown.length > SHOWN_CHARACTERS ? `${shown.slice(0, SHOWN_CHARACTERS)}...` : shown;
}
