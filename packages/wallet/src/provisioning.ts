import { createProvisionerClient, type ProvisionerClient } from "@dataspace/clients/provisioner-client";
import { createRegistryClient, type RegistryClient } from "@dataspace/clients/registry-client";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { EName } from "@dataspace/protocol/ename";
import { askParty } from "./ask-party.ts";
import { createReportingFetch, type ReportExchange } from "./exchange.ts";
import type { KeyStore } from "./key-store.ts";
import { draftToEName, type Identity, type ProvisionDraft, type ProvisionInput } from "./provision-draft.ts";
import { syncPublicKey } from "./sync-public-key.ts";
import { WalletError } from "./wallet-error.ts";

/**
 * Creates identities, in steps that survive the loss of any answer: an interrupted provisioning is resumed or
 * discarded.
 *
 * `begin` creates the key and makes no request. `resume` takes a draft of any step to the identity; it may be called
 * again after any refusal, with the latest saved draft. `discard` deletes the key, unless a vault was created with it.
 */
export interface Provisioning {
  readonly begin: (input: ProvisionInput) => Promise<ProvisionDraft>;
  readonly resume: (draft: ProvisionDraft) => Promise<Identity>;
  readonly discard: (draft: ProvisionDraft) => Promise<void>;
  /** `begin` and `resume` in one call. */
  readonly provision: (input: ProvisionInput) => Promise<Identity>;
}

/**
 * `save` receives each new draft and is awaited before the next step; `report` receives each exchange with another
 * party.
 */
export interface ProvisioningDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly keys: KeyStore;
  readonly save: (draft: ProvisionDraft) => void | Promise<void>;
  readonly report?: ReportExchange;
}

/** The services that provide new eNames and new vaults. */
export interface ProvisioningConfig {
  readonly registryUrl: string;
  readonly provisionerUrl: string;
}

/**
 * Makes a wallet's provisioning: key, entropy, vault, and the certificate of the key.
 *
 * Refuses: KEY_MISSING, KEY_NOT_CERTIFIED, UNEXPECTED_ANSWER, and of each of REGISTRY, PROVISIONER and VAULT,
 * `_UNAVAILABLE` (resume in a while) and `_REFUSED` (with the party's own code: VERIFICATION_USED,
 * INVALID_VERIFICATION, ...); `discard` refuses VAULT_EXISTS.
 * Source: S1 "POST /provision"; S3 "Sandbox"; decision V17.
 */
export function createProvisioning(deps: ProvisioningDeps, config: ProvisioningConfig): Provisioning {
  const work = createWork(deps, config);
  return {
    begin: (input) => begin(work, input),
    resume: (draft) => resume(work, draft),
    discard: (draft) => discard(work, draft),
    provision: async (input) => resume(work, await begin(work, input)),
  };
}

type Draft<Step extends ProvisionDraft["step"]> = Extract<ProvisionDraft, { readonly step: Step }>;

interface Work {
  readonly keys: KeyStore;
  readonly save: <Saved extends ProvisionDraft>(draft: Saved) => Promise<Saved>;
  readonly requestEntropy: RegistryClient["requestEntropy"];
  readonly provision: ProvisionerClient["provision"];
  readonly resolve: RegistryClient["resolve"];
  readonly sync: (draft: Draft<"vault">) => Promise<unknown>;
}

function createWork(deps: ProvisioningDeps, config: ProvisioningConfig): Work {
  const fetchFor = createReportingFetch({ fetch: deps.fetch, report: deps.report });
  const sync = { fetch: deps.fetch, clock: deps.clock, ...(deps.report === undefined ? {} : { report: deps.report }) };
  return {
    keys: deps.keys,
    save: async (draft) => {
      await deps.save(draft);
      return draft;
    },
    requestEntropy: createRegistryClient({ fetch: fetchFor("entropy") }, config).requestEntropy,
    provision: createProvisionerClient({ fetch: fetchFor("provision") }, config).provision,
    resolve: createRegistryClient({ fetch: fetchFor("provision") }, config).resolve,
    sync: ({ ename, publicKey }) => syncPublicKey(sync, config, { ename, publicKey }),
  };
}

async function begin({ keys, save }: Work, { id, verificationId }: ProvisionInput): Promise<ProvisionDraft> {
  const { publicKey } = await keys.ensure(id);
  return save({ step: "begun", id, verificationId, publicKey, namespace: crypto.randomUUID() });
}

async function resume(work: Work, draft: ProvisionDraft): Promise<Identity> {
  await assertKey(work.keys, draft);
  const made = draft.step === "vault" ? draft : await obtainVault(work, draft);
  await work.sync(made);
  const { id, ename, vaultUrl, publicKey } = made;
  return { id, ename, vaultUrl, publicKey };
}

async function obtainVault(work: Work, draft: Draft<"begun"> | Draft<"entropy">): Promise<Draft<"vault">> {
  const asked = draft.step === "entropy" ? draft : await obtainEntropy(work, draft);
  const { registryEntropy: _spent, ...rest } = asked;
  const ename = draftToEName(asked);
  const vaultUrl = await askForVault(work, asked, ename);
  if (vaultUrl !== undefined) return work.save({ ...rest, step: "vault", ename, vaultUrl });
  if (draft.step === "entropy") return obtainVault(work, await work.save({ ...rest, step: "begun" }));
  throw new WalletError(
    "UNEXPECTED_ANSWER",
    "The provisioner does not accept this registry's entropy. Check both addresses.",
  );
}

async function obtainEntropy(work: Work, draft: Draft<"begun">): Promise<Draft<"entropy">> {
  const registryEntropy = await askParty("REGISTRY", work.requestEntropy);
  const obtained = { ...draft, step: "entropy", registryEntropy } as const;
  draftToEName(obtained);
  return work.save(obtained);
}

/** Out: the vault's address, or undefined when the entropy has expired and no vault was created with it. */
async function askForVault(work: Work, draft: Draft<"entropy">, ename: EName): Promise<string | undefined> {
  const { registryEntropy, namespace, verificationId, publicKey } = draft;
  const request = { registryEntropy, namespace, verificationId, publicKey };
  try {
    const { dsid, uri } = await askParty("PROVISIONER", () => work.provision(request));
    if (dsid === ename) return uri;
  } catch (error) {
    const refusal = error instanceof WalletError ? error.refusal : undefined;
    if (refusal !== "ENTROPY_SPENT" && refusal !== "INVALID_ENTROPY") throw error;
    // The answer to an earlier attempt may have been lost: then the vault exists, and nobody else has this eName's
    // entropy.
    const address = await askParty("REGISTRY", () => work.resolve(ename));
    if (address !== undefined) return address.uri;
    if (refusal === "INVALID_ENTROPY") return undefined;
    throw error;
  }
  throw new WalletError(
    "UNEXPECTED_ANSWER",
    "The provisioner created an eName that does not follow from the entropy. Discard this, and use another provisioner.",
  );
}

async function discard(work: Work, draft: ProvisionDraft): Promise<void> {
  if (draft.step === "vault" || (draft.step === "entropy" && (await hasVault(work, draft)))) {
    throw new WalletError(
      "VAULT_EXISTS",
      "A vault was created with this key, and without the key nobody could access it. Resume instead.",
    );
  }
  await work.keys.remove(draft.id);
}

async function hasVault(work: Work, draft: Draft<"entropy">): Promise<boolean> {
  return (await askParty("REGISTRY", () => work.resolve(draftToEName(draft)))) !== undefined;
}

async function assertKey(keys: KeyStore, { id, publicKey }: ProvisionDraft): Promise<void> {
  if ((await keys.load(id))?.publicKey === publicKey) return;
  throw new WalletError(
    "KEY_MISSING",
    `The key store has not the key with which ${JSON.stringify(id)} was begun. Restore the key, or begin anew.`,
  );
}
