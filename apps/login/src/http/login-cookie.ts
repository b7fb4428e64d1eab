import { hash } from "node:crypto";
import { createLoginCookie } from "@dataspace/wallet-login/login-cookie";

/** The cookies that identify the browser that started a login; each login has its own. */
export interface LoginCookies {
  readonly read: (cookieHeader: string | undefined, id: string) => string | undefined;
  readonly write: (id: string, secret: string) => string;
  /** Shortens the cookie of a login that is over, so that its other tabs still see that it is over. */
  readonly retire: (id: string, secret: string) => string;
}

const SUFFIX_CHARACTERS = 12;
const RETIRED_SECONDS = 600;

/**
 * Makes the cookies. Their names hold a hash of the login's id, so logins in several tabs do not disturb each other.
 *
 * Refuses: never. Source: S2 "Browser binding"; decisions L2, L11.
 */
export function createLoginCookies(config: { readonly issuer: string; readonly seconds: number }): LoginCookies {
  const isSecure = config.issuer.startsWith("https:");
  const cookieOf = (id: string) => {
    const suffix = hash("sha256", id).slice(0, SUFFIX_CHARACTERS);
    return createLoginCookie(`ds_login_${suffix}`, isSecure);
  };
  return {
    read: (cookieHeader, id) => cookieOf(id).read(cookieHeader),
    write: (id, secret) => cookieOf(id).write(secret, config.seconds),
    retire: (id, secret) => cookieOf(id).write(secret, RETIRED_SECONDS),
  };
}
