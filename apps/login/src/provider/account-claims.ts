import type { EName } from "@dataspace/protocol/ename";
import type { AccountClaims } from "oidc-provider";

/** The result of a login in the signer's vault; absent members did not exist or could not be read. */
export interface Profile {
  readonly name?: string;
  readonly givenName?: string;
  readonly familyName?: string;
  readonly email?: string;
}

/** Who signed a login, and how. */
export interface SignedLogin {
  readonly ename: EName;
  /** `hwk`: the signature was multibase base58btc; `swk`: base64. A hint and no attestation (RFC 8176). */
  readonly amr: "hwk" | "swk";
  readonly signedAtSeconds: number;
  readonly profile: Profile;
}

/** Which claims each scope releases. Source: S2 "Claims"; decision L8. */
export const CLAIMS_BY_SCOPE: Readonly<Record<string, string[]>> = {
  openid: ["sub", "amr", "auth_time"],
  profile: ["preferred_username", "name", "given_name", "family_name"],
  email: ["email", "email_verified"],
};

const PLACEHOLDER_DOMAIN = "users.dataspace.invalid";

/**
 * Makes the claims of a login, for every scope; the library releases what the scopes allow.
 *
 * In: `requireEmail`, whether the client receives a placeholder address where the profile has none. Refuses: never.
 * Source: S2 "Claims"; decision L8.
 */
export function toAccountClaims(login: SignedLogin, requireEmail: boolean): AccountClaims {
  const { ename, amr, signedAtSeconds, profile } = login;
  const username = ename.slice(1);
  const email = profile.email ?? (requireEmail ? `${username}@${PLACEHOLDER_DOMAIN}` : undefined);
  return {
    sub: ename,
    amr: [amr],
    auth_time: signedAtSeconds,
    preferred_username: username,
    ...(profile.name === undefined ? {} : { name: profile.name }),
    ...(profile.givenName === undefined ? {} : { given_name: profile.givenName }),
    ...(profile.familyName === undefined ? {} : { family_name: profile.familyName }),
    ...(email === undefined ? {} : { email, email_verified: false }),
  };
}
