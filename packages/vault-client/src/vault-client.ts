import type { EName } from "@dataspace/protocol/ename";
import { type BindingDocumentCalls, createBindingDocumentCalls } from "./binding-document-calls.ts";
import { type Calls, createCalls } from "./calls.ts";
import { createFileCalls, type FileCalls } from "./file-calls.ts";
import { createMetaEnvelopeCalls, type MetaEnvelopeCalls } from "./meta-envelope-calls.ts";
import { createOwnerCalls, type OwnerCalls } from "./owner-calls.ts";
import type { SendDeps } from "./send-with-retries.ts";
import { VaultError } from "./vault-error.ts";

/** One owner's vault. */
export interface VaultClient
  extends MetaEnvelopeCalls,
    BindingDocumentCalls,
    FileCalls,
    OwnerCalls,
    Pick<Calls, "call" | "query" | "mutate"> {
  readonly owner: EName;
  /** Asks for the vault's health by HEAD /whois. Out: false also when the vault is not found. Source: S1 "HEAD /whois". */
  readonly isHealthy: (options?: { readonly signal?: AbortSignal }) => Promise<boolean>;
}

/** Makes the client of one owner's vault. Refuses: never; its calls reject with a VaultError. Source: S3 "Vault client rules". */
export function createVaultClient(deps: SendDeps): VaultClient {
  const calls = createCalls(deps);
  return {
    owner: deps.owner,
    call: calls.call,
    query: calls.query,
    mutate: calls.mutate,
    ...createMetaEnvelopeCalls(calls),
    ...createBindingDocumentCalls(calls),
    ...createFileCalls(calls, deps.outside),
    ...createOwnerCalls(calls, deps.owner),
    isHealthy: ({ signal } = {}) => isHealthy(deps, signal),
  };
}

async function isHealthy({ location }: SendDeps, signal: AbortSignal | undefined): Promise<boolean> {
  try {
    const status = await location.askHealth(await location.find(signal));
    return status !== undefined && status >= 200 && status < 300;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}
