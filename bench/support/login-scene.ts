import { createHash } from "node:crypto";

const VERIFIER = "a-verifier-of-forty-three-characters-or-more-0123";

/** The client of the login benches. The issuer need not be an address: the connector and the library answer at any port. */
export const LOGIN_CLIENT: {
  readonly id: string;
  readonly secret: string;
  readonly redirectUri: string;
  readonly issuer: string;
  readonly verifier: string;
  readonly challenge: string;
} = {
  id: "ds_bench",
  secret: "a-client-secret-of-forty-three-characters-012",
  redirectUri: "https://rp.example/callback",
  issuer: "http://127.0.0.1:1",
  verifier: VERIFIER,
  challenge: createHash("sha256").update(VERIFIER).digest("base64url"),
};

/** Who signs in. */
export const LOGIN_PERSON = "@11111111-2222-4333-8444-555555555555";

/** What a login child starts with: the connector's database, or none for the bare library; a certificate and the registry's keys. */
export interface LoginStart {
  readonly databaseUrl?: string;
  readonly certificate: string;
  readonly keySet: object;
}
