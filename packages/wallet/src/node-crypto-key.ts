import { createPrivateKey, createPublicKey, generateKeyPairSync, type KeyObject, sign, verify } from "node:crypto";
import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { WalletError } from "./wallet-error.ts";
import type { PrivateJwk, WalletKey } from "./wallet-key.ts";

/**
 * Creates a key pair with node:crypto, which signs several times as fast as WebCrypto in Node; it is exportable.
 *
 * Refuses: never.
 * Source: S1 "ECDSA P-256 key pairs with SHA-256"; decision I9.
 */
export function createNodeCryptoKey(): WalletKey {
  return toWalletKey(generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey);
}

/**
 * Imports a private JWK from `exportJwk`.
 *
 * Refuses: INVALID_PRIVATE_KEY for anything but a private P-256 key whose two halves match.
 * Source: RFC 7517; RFC 7518 section 6.2.
 */
export function importNodeCryptoKey(jwk: PrivateJwk): WalletKey {
  const key = readPrivateKey(jwk);
  if (key !== undefined && isPair(key)) return toWalletKey(key);
  throw new WalletError("INVALID_PRIVATE_KEY", "This is not a private P-256 key as JWK. Restore the wallet's export.");
}

function readPrivateKey({ kty, crv, x, y, d }: PrivateJwk): KeyObject | undefined {
  try {
    return createPrivateKey({ key: { kty, crv, x, y, d }, format: "jwk" });
  } catch {
    return undefined; // answered by the caller
  }
}

// A JWK states its public half beside the private one, and OpenSSL does not check it.
function isPair(privateKey: KeyObject): boolean {
  const data = new Uint8Array();
  const isP256 = privateKey.asymmetricKeyDetails?.namedCurve === "prime256v1";
  return isP256 && verify("sha256", data, createPublicKey(privateKey), sign("sha256", data, privateKey));
}

function toWalletKey(privateKey: KeyObject): WalletKey {
  const spki = createPublicKey(privateKey).export({ type: "spki", format: "der" });
  return {
    publicKey: `z${encodeBase58btc(spki)}`,
    encoding: "base64",
    sign: async (data) => sign("sha256", data, { key: privateKey, dsaEncoding: "ieee-p1363" }),
    exportJwk: async () => {
      const { x, y, d } = privateKey.export({ format: "jwk" }) as PrivateJwk;
      return { kty: "EC", crv: "P-256", x, y, d };
    },
  };
}
