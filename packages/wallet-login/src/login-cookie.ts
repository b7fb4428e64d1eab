/** A cookie that binds a login to the browser that started it, as header texts. */
export interface LoginCookie {
  /** In: a request's Cookie header. */
  readonly read: (header: string | undefined | null) => string | undefined;
  readonly write: (value: string, seconds: number) => string;
  readonly clear: () => string;
}

/**
 * Makes the cookie: HttpOnly, and SameSite=Lax since a wallet on the same device leads back from outside. Under https it is Secure and
 * its name begins with `__Host-`, so no neighbouring host can set it.
 *
 * In: `isSecure`, whether the application is reached by https. Refuses: never. Source: S2 "Browser binding"; decision L11; RFC 6265bis 4.1.3.
 */
export function createLoginCookie(plainName: string, isSecure: boolean): LoginCookie {
  const name = `${isSecure ? "__Host-" : ""}${plainName}`;
  const attributes = `Path=/; HttpOnly${isSecure ? "; Secure" : ""}; SameSite=Lax`;
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
