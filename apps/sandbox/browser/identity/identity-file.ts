import { parseJson } from "@dataspace/clients/parse-json";
import { importWalletKey, type PrivateJwk } from "@dataspace/wallet/wallet-key";
import type { KeyStore } from "@dataspace/wallet/key-store";
import { type Identity, toIdentity } from "./identities.ts";
import { IDENTITY_FILE_TEXTS } from "./identity-texts.ts";

/** An identity with its private key, as stored in a file: whoever has the file is the owner. */
export interface IdentityFile {
  readonly identity: Identity;
  readonly key: PrivateJwk;
}

const KIND = "dataspace-sandbox-identity";

/** Writes an identity as the text of a file. Refuses: an Error when the browser has lost its key. */
export async function writeIdentityFile(identity: Identity, keys: KeyStore): Promise<string> {
  const key = await keys.load(identity.keyId);
  if (key === undefined) throw new Error(IDENTITY_FILE_TEXTS.nothingToExport);
  return JSON.stringify({ kind: KIND, ...identity, key: await key.exportJwk() }, undefined, 2);
}

/** Reads such a file. Refuses: an Error that says what is wrong with the file; WalletError INVALID_PRIVATE_KEY. */
export async function readIdentityFile(text: string): Promise<IdentityFile> {
  const value = (parseJson(text) ?? {}) as { readonly kind?: unknown; readonly key?: unknown };
  const identity = toIdentity(value);
  if (value.kind !== KIND || identity === undefined) {
    throw new Error(IDENTITY_FILE_TEXTS.noIdentity);
  }
  const key = value.key as PrivateJwk;
  await importWalletKey(key);
  return { identity, key };
}
