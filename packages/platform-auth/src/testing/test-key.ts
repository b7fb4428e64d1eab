import { generateKeyPairSync, type KeyObject, sign } from "node:crypto";
import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { encodeBase64Url } from "@dataspace/protocol/base64url";
import type { SignText } from "@dataspace/protocol/sign-text";
import type { JwsSigner } from "@dataspace/protocol/write-compact-jws";

/** A key for tests: it signs texts as a wallet or a deployment, and tokens as an authority or a registry. */
export interface TestKey extends JwsSigner {
  /** `z` and the base58btc of the SPKI. */
  readonly publicKey: string;
  readonly privateKey: KeyObject;
  readonly publicJwk: { readonly x: string; readonly y: string };
  /** The public half as a JWK set. */
  readonly jwks: { readonly keys: readonly object[] };
  /** Signs a text; base64url of r and s. */
  readonly signText: SignText;
}

/** Makes a fresh key. Refuses: never. */
export function createTestKey(kid: string): TestKey {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const signBytes = (data: Uint8Array): Uint8Array =>
    sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" });
  const publicJwk = publicKey.export({ format: "jwk" }) as { x: string; y: string };
  return {
    kid,
    publicJwk,
    privateKey,
    publicKey: `z${encodeBase58btc(publicKey.export({ type: "spki", format: "der" }))}`,
    jwks: { keys: [{ ...publicJwk, kid, alg: "ES256", use: "sig" }] },
    sign: signBytes,
    signText: async (text) => encodeBase64Url(signBytes(new TextEncoder().encode(text))),
  };
}
