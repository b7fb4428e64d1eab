import { encodeBase58btc } from "@dataspace/protocol/base58btc";
import { WalletError } from "./wallet-error.ts";

/**
 * One device's key pair, wherever its private half is: WebCrypto, node:crypto, a phone's secure element.
 *
 * `publicKey` is the text that vaults store, multibase: `z` and the base58btc of the SPKI DER. `encoding` is how its
 * signatures are written: base64 by software, base58btc by hardware. Verifiers use it as a hint of which it is.
 * Source: S2 "Claims" (amr); decision I9.
 */
export interface WalletKey {
  readonly publicKey: string;
  readonly encoding: "base64" | "base58btc";
  /** Signs with ECDSA P-256 and SHA-256. Out: r and s, 64 bytes together, or DER. */
  readonly sign: (data: Uint8Array) => Promise<Uint8Array>;
  /** Returns the private key, for a store or a backup. Refuses: KEY_NOT_EXPORTABLE. */
  readonly exportJwk: () => Promise<PrivateJwk>;
}

/** A key pair as JSON: its holder is the owner. Numbers are 32 bytes in base64url (RFC 7518 section 6.2). */
export interface PrivateJwk {
  readonly kty: "EC";
  readonly crv: "P-256";
  readonly x: string;
  readonly y: string;
  readonly d: string;
}

/** The two halves of a key as WebCrypto objects. */
export interface KeyPair {
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
}

interface KeyOptions {
  readonly exportable?: boolean;
}

const P256 = { name: "ECDSA", namedCurve: "P-256" } as const;
const ES256 = { name: "ECDSA", hash: "SHA-256" } as const;

/**
 * Creates a key pair with WebCrypto, in browsers and in Node.
 *
 * In: `exportable` when the private half is to be stored outside WebCrypto; otherwise no script can read it.
 * Refuses: never.
 * Source: S1 "ECDSA P-256 key pairs with SHA-256"; decision I9.
 */
export async function createWalletKey({ exportable = false }: KeyOptions = {}): Promise<WalletKey> {
  return pairToWalletKey(await createKeyPair(exportable));
}

/**
 * Imports a private JWK from `exportJwk`.
 *
 * Refuses: INVALID_PRIVATE_KEY for anything but a private P-256 key.
 * Source: RFC 7517; RFC 7518 section 6.2.
 */
export async function importWalletKey(jwk: PrivateJwk, { exportable = false }: KeyOptions = {}): Promise<WalletKey> {
  try {
    const { kty, crv, x, y, d } = jwk;
    const privateKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y, d }, P256, exportable, ["sign"]);
    const publicKey = await crypto.subtle.importKey("jwk", { kty, crv, x, y }, P256, true, ["verify"]);
    return await pairToWalletKey({ privateKey, publicKey });
  } catch (cause) {
    throw new WalletError(
      "INVALID_PRIVATE_KEY",
      "This is not a private P-256 key as JWK. Restore the wallet's export.",
      { cause },
    );
  }
}

/** Creates a pair whose private half is `exportable` or never leaves WebCrypto. Refuses: never. Source: decision I9. */
export function createKeyPair(exportable: boolean): Promise<KeyPair> {
  return crypto.subtle.generateKey(P256, exportable, ["sign", "verify"]);
}

/** Makes a WalletKey from a pair. Refuses: never. Source: decision I9. */
export async function pairToWalletKey({ privateKey, publicKey }: KeyPair): Promise<WalletKey> {
  return {
    publicKey: `z${encodeBase58btc(new Uint8Array(await crypto.subtle.exportKey("spki", publicKey)))}`,
    encoding: "base64",
    sign: async (data) => new Uint8Array(await crypto.subtle.sign(ES256, privateKey, new Uint8Array(data))),
    exportJwk: () => exportJwk(privateKey),
  };
}

async function exportJwk(privateKey: CryptoKey): Promise<PrivateJwk> {
  if (!privateKey.extractable) {
    throw new WalletError(
      "KEY_NOT_EXPORTABLE",
      "This key never leaves the device. Add a second key to the vault instead, or make an exportable one.",
    );
  }
  const { x, y, d } = (await crypto.subtle.exportKey("jwk", privateKey)) as PrivateJwk;
  return { kty: "EC", crv: "P-256", x, y, d };
}
