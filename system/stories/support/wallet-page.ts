import { createIndexedDbKeyStore, type KeyDatabases } from "@dataspace/wallet/indexed-db-key-store";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createProvisioning } from "@dataspace/wallet/provisioning";
import { syncPublicKey } from "@dataspace/wallet/sync-public-key";
import type { Identity } from "@dataspace/wallet/provision-draft";
import type { TextStorage } from "@dataspace/wallet/storage-key-store";

/** What a page has, and where it is to get its identity. */
interface PageDeps {
  readonly indexedDB: KeyDatabases;
  readonly storage: TextStorage;
  readonly registryUrl: string;
  readonly provisionerUrl: string;
  readonly verificationId: string;
}

/** What became of it. */
interface PageRun {
  readonly steps: readonly string[];
  readonly isOwnKey: boolean;
  readonly keysMadeAtOnce: number;
  readonly isRemoved: boolean;
  readonly exported: unknown;
  readonly synced: string;
  readonly written: unknown;
}

const clock = { nowMs: () => Date.now() };

/** Runs in a browser: makes an identity unless the page has one, writes with its key, and tries to get at the key. */
export async function runWalletPage(deps: PageDeps): Promise<PageRun> {
  const { indexedDB, registryUrl, verificationId } = deps;
  const keys = createIndexedDbKeyStore({ indexedDB });
  const steps: string[] = [];
  const provisioning = createProvisioning(
    { fetch, clock, keys, save: () => {}, report: ({ step, status }) => void steps.push(`${step} ${status}`) },
    deps,
  );
  const known = deps.storage.getItem("identity");
  const identity: Identity =
    known === null ? await provisioning.provision({ id: "ada", verificationId }) : JSON.parse(known);
  deps.storage.setItem("identity", JSON.stringify(identity));
  const key = await keys.ensure("ada");
  const { ename, publicKey, vaultUrl } = identity;
  const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
  const stores = [1, 2, 3].map(() => createIndexedDbKeyStore({ indexedDB }));
  const made = await Promise.all(stores.map((store) => store.ensure("eve")));
  await keys.remove("eve");
  return {
    steps,
    isOwnKey: key.publicKey === publicKey,
    keysMadeAtOnce: new Set(made.map((one) => one.publicKey)).size,
    isRemoved: (await keys.load("eve")) === undefined,
    exported: await key.exportJwk().catch((error) => error.code),
    synced: await syncPublicKey({ fetch, clock }, { registryUrl }, { ename, publicKey }),
    written: await write({ ename, vaultUrl, token }),
  };
}

async function write({ ename, vaultUrl, token }: Record<"ename" | "vaultUrl" | "token", string>): Promise<unknown> {
  const input = `{ ontology: "note-v1", payload: { text: "☺" } }`;
  const response = await fetch(`${vaultUrl}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": ename, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: `mutation { createMetaEnvelope(input: ${input}) { errors { code } } }` }),
  });
  return response.json();
}
