import { type CompactJws, parseCompactJws } from "@dataspace/protocol/compact-jws";
import { WALLET_TOKEN_TYP } from "@dataspace/protocol/wallet-token";
import type { Refusal } from "@dataspace/service-kit/http/refusal";
import { refusal } from "../errors.ts";

/** A bearer credential by its kind; each kind has one verifier. Source: decision I4. */
export type BearerToken =
  | { readonly kind: "wallet"; readonly text: string; readonly jws: CompactJws }
  | { readonly kind: "legacy-platform"; readonly text: string }
  | { readonly kind: "session"; readonly text: string; readonly scheme: "Bearer" | "DPoP" }
  | { readonly kind: "opaque"; readonly text: string };

const CREDENTIAL = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*) *$/i;
const SESSION_PREFIX = "dss_";
const JWS = /^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]*$/;

/**
 * Finds the kind of a request's bearer credential by its form and its `typ`, never by trying several verifiers.
 *
 * Out: undefined when there is none. Refuses: INVALID_TOKEN for a header that is not a bearer credential.
 * Source: decisions I4, V2; RFC 6750.
 */
export function readBearerToken(authorization: string | undefined): BearerToken | undefined {
  if (authorization === undefined) return undefined;
  const [, scheme, text] = CREDENTIAL.exec(authorization) ?? [];
  if (text === undefined) throw invalidToken("The header Authorization holds no Bearer or DPoP credential.");
  const isDpop = scheme?.toLowerCase() === "dpop";
  if (text.startsWith(SESSION_PREFIX)) return { kind: "session", text, scheme: isDpop ? "DPoP" : "Bearer" };
  if (isDpop) throw invalidToken("Only a platform session is sent as DPoP; send this credential as Bearer.");
  if (!JWS.test(text)) return { kind: "opaque", text };
  const jws = parseToken(text);
  return jws.header.typ === WALLET_TOKEN_TYP ? { kind: "wallet", text, jws } : { kind: "legacy-platform", text };
}

function parseToken(text: string): CompactJws {
  try {
    return parseCompactJws(text);
  } catch (error) {
    throw invalidToken((error as Error).message);
  }
}

/** The refusal of an invalid credential, which never counts as no credential. Source: decision V2. */
export function invalidToken(message: string): Refusal {
  return refusal("INVALID_TOKEN", message, "Authorization");
}
