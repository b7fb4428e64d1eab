import { readFile } from "node:fs/promises";
import { type AskSignature, signWithKey } from "@dataspace/deployment/ask-signature";
import { DeploymentError } from "@dataspace/deployment/deployment-error";
import { signByWallet } from "@dataspace/deployment/sign-by-wallet";
import { importNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";

/** Where a person's signature comes from. */
export interface SignerOptions {
  readonly signature?: string;
  readonly walletKey?: string;
  /** Seconds. */
  readonly wait: number;
  readonly json?: boolean;
}

/**
 * Chooses how a person signs: with `--signature`, which was made elsewhere, with the key of `--wallet-key`, or with a wallet.
 *
 * Refuses: INVALID_PRIVATE_KEY; INVALID_INPUT for a key file that cannot be read. Source: decision I10.
 */
export async function chooseSigner(options: SignerOptions): Promise<AskSignature> {
  const { signature, walletKey } = options;
  if (signature !== undefined) return async () => signature;
  if (walletKey !== undefined) return signWithKey(importNodeCryptoKey(await readKey(walletKey)));
  const show = ({ uri, text }: { readonly uri: string; readonly text: string }) => {
    if (options.json === true) return void console.log(JSON.stringify({ uri, text }));
    console.log(`Open this address in the wallet, or sign the text and pass it with --signature:\n${uri}\n${text}`);
  };
  return signByWallet({ show, timeoutMs: options.wait * 1_000 });
}

async function readKey(file: string): Promise<PrivateJwk> {
  try {
    return JSON.parse(await readFile(file, "utf8")) as PrivateJwk;
  } catch (cause) {
    throw new DeploymentError("INVALID_INPUT", `${file} cannot be read as a private JWK; check --wallet-key.`, {
      cause,
    });
  }
}
