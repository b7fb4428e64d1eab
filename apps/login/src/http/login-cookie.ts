import { createHash } from "node:crypto";

/** The cookies that identify the browser that started a login; each login has its own. */
export interface LoginCookies {
  readonly read: (cookieHeader: string | undefined, id: string) => string | undefined;
  readonly write: (id: string, secret: string) => string;
  readonly clear: (id: string) => string;
}

const SUFFIX_CHARACTERS = 12;

/**
 * Makes the cookies: HttpOnly, SameSite=Lax (a deep link comes from outside), for the whole origin. Under https they are Secure and
 * their names begin with `__Host-`. The name holds a hash of the login, so logins in several tabs do not disturb each other.
 *
 * Refuses: never. Source: S2 "Browser binding"; decisions L2, L11; RFC 6265bis 4.1.3.
 */
export function createLoginCookies(config: { readonly issuer: string; readonly seconds: number }): LoginCookies {
  const isSecure = config.issuer.startsWith("https:");
  const nameOf = (id: string): string => {
    const suffix = createHash("sha256").update(id).digest("hex").slice(0, SUFFIX_CHARACTERS);
    return `${isSecure ? "__Host-" : ""}ds_login_${suffix}`;
  };
  const attributes = `Path=/; HttpOnly; SameSite=Lax${isSecure ? "; Secure" : ""}`;
  return {
    read: (cookieHeader, id) => {
      const start = `${nameOf(id)}=`;
      const parts = (cookieHeader ?? "").split(";").map((part) => part.trim());
      return parts.find((part) => part.startsWith(start))?.slice(start.length);
    },
    write: (id, secret) => `${nameOf(id)}=${secret}; Max-Age=${config.seconds}; ${attributes}`,
    clear: (id) => `${nameOf(id)}=; Max-Age=0; ${attributes}`,
  };
}
