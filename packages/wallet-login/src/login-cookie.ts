/** A cookie that identifies a browser, as header texts: the one that started a login, or the one that is signed in. */
export interface LoginCookie {
  /** In: a request's Cookie header. */
  readonly read: (header: string | undefined | null) => string | undefined;
  readonly write: (value: string, seconds: number) => string;
  readonly clear: () => string;
}

/**
 * Makes the cookie: HttpOnly. Under https it is Secure and its name begins with `__Host-`, so no neighbouring host can set it.
 *
 * In: `isSecure`, whether the application is reached by https. `sameSite`: a login's cookie is Lax, since a wallet on the same device
 * leads back from outside; a session's is Strict. Refuses: never. Source: S2 "Browser binding"; decision L11; RFC 6265bis 4.1.3.
 */
export function createLoginCookie(
  plainName: string,
  isSecure: boolean,
  sameSite: "Lax" | "Strict" = "Lax",
): LoginCookie {
  const name = `${isSecure ? "__Host-" : ""}${plainName}`;
  const attributes = `Path=/; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=${sameSite}`;
  return {
    read: (header) => {
      const start = `${name}=`;
      const parts = (header ?? "").split(";").map((part) => part.trim());
      return parts.find((part) => part.startsWith(start))?.slice(start.length);
    },
    write: (value, seconds) => `${name}=${value}; Max-Age=${seconds}; ${attributes}`,
    clear: () => `${name}=; Max-Age=0; ${attributes}`,
  };
}
