import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { ProtocolError } from "@dataspace/protocol/protocol-error";

/** One device's key pair. The private half never leaves the wallet; `publicKey` is the text that vaults store. */
export interface WalletKey {
  readonly privateKey: CryptoKey;
  /** Multibase: `z` and the base58btc of the SPKI DER. */
  readonly publicKey: string;
}

/** A key pair as JSON: whoever holds it is the owner. Numbers are 32 bytes in base64url (RFC 7518 section 6.2). */
export interface PrivateJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;

/**
 * Makes a new P-256 key pair.
 *
 * Refuses: never.
 * Source: S1 "ECDSA P-256 key pairs with SHA-256"; decision I9.
 */
export async function createWalletKey(): Promise<WalletKey> {
  const pair = await crypto.subtle.generateKey(P256, true, ["sign", "verify"]);
  return { privateKey: pair.privateKey, publicKey: await publicKeyText(pair.publicKey) };
}

/**
 * Writes a key pair as a private JWK, for the wallet's own store; it must not be sent anywhere.
 *
 * Refuses: never.
 * Source: RFC 7517; RFC 7518 section 6.2.
 */
export async function exportWalletKey(key: WalletKey): Promise<PrivateJwk> {
  const { x, y, d } = (await crypto.subtle.exportKey("jwk", key.privateKey)) as PrivateJwk;
  return { kty: "EC", crv: "P-256", x, y, d };
}

/**
 * Reads a private JWK as `exportWalletKey` wrote it.
 *
 * Refuses: INVALID_PRIVATE_KEY for anything but a private P-256 key.
 * Source: RFC 7517; RFC 7518 section 6.2.
 */
export async function importWalletKey(jwk: PrivateJwk): Promise<WalletKey> {
  try {
    const { kty, crv, x, y, d } = jwk;
    const privateKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, P256, true, ["sign"]);
    const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, P256, true, ["verify"]);
    return { privateKey, publicKey: await publicKeyText(publicKey) };
  } catch {
    throw new ProtocolError(
      "INVALID_PRIVATE_KEY",
      "This is not a private P-256 key as JWK. Restore the wallet's export.",
    );
  }
}

async function publicKeyText(publicKey: CryptoKey): Promise<string> {
  return `z${encodeBase58btc(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)))}`;
}
