import { createProvisioning, type Provisioning } from "@dataspace/wallet/provisioning";
import type { ProvisionDraft } from "@dataspace/wallet/provision-draft";
import type { ActionLog } from "../action-log.ts";
import type { Connections } from "../connection.ts";
import { element, find, notice } from "../element.ts";
import { randomProfile, USER_ONTOLOGY } from "../random-profile.ts";
import { openVault } from "../vault-session.ts";
import type { Wallet } from "../wallet.ts";
import { whileBusy } from "./while-busy.ts";

interface ProvisionPanelDeps {
  readonly wallet: Wallet;
  readonly log: ActionLog;
  readonly connections: Connections;
  readonly storage: Storage;
}

/** The development stack's code, with which anybody may make vaults. Source: decision V17. */
const DEMO_CODE = "d66b7138-538a-465f-a6ce-f6985854c3f4";
const DRAFT_AT = "dataspace-sandbox-unfinished";

/**
 * Makes an identity at the press of a button: key, entropy, vault, certificate, and a profile. What failed midway is kept, to be
 * gone on with or thrown away. Source: S3 "Sandbox", provision.
 */
export function openProvisionPanel(deps: ProvisionPanelDeps): void {
  const { log, storage } = deps;
  const button = find("provision", HTMLButtonElement);
  const told = element("div", {});
  const half = element("div", {});
  find("unfinished", HTMLElement).replaceChildren(told, half);
  const show = (): void => {
    const draft = readDraft(storage);
    half.replaceChildren(...(draft === undefined ? [] : [unfinished(deps, draft, show)]));
  };
  show();
  whileBusy(button, { output: told, log, act: "Provision" }, async () => {
    told.replaceChildren();
    log.say("info", "Provisioning begins: a new key");
    const provisioning = openProvisioning(deps);
    const draft = await provisioning.begin({ id: crypto.randomUUID(), verificationId: DEMO_CODE });
    try {
      await finish(deps, provisioning, draft);
    } finally {
      show();
    }
  });
}

function openProvisioning({ wallet, log, connections, storage }: ProvisionPanelDeps): Provisioning {
  const save = (draft: ProvisionDraft): void => storage.setItem(DRAFT_AT, JSON.stringify(draft));
  const clock = { nowMs: () => Date.now() };
  return createProvisioning({ fetch: log.fetch, clock, keys: wallet.keys, save }, connections.current());
}

async function finish(deps: ProvisionPanelDeps, provisioning: Provisioning, draft: ProvisionDraft): Promise<void> {
  const { wallet, log, storage } = deps;
  const { id, ename, vaultUrl } = await provisioning.resume(readDraft(storage) ?? draft);
  log.say("ok", `Provisioned ${ename}; its key is certified`);
  const profile = randomProfile(ename, Math.random, new Date().toISOString());
  const identity = { ename, vaultUrl, displayName: profile.displayName, keyId: id };
  const vault = openVault({ fetch: log.fetch, key: await wallet.keyOf(identity) }, identity);
  await vault.createRecord({ ontology: USER_ONTOLOGY, payload: profile, acl: ["*"] });
  log.say("ok", `Wrote the profile of ${profile.displayName}`);
  storage.removeItem(DRAFT_AT);
  wallet.identities.put(identity);
}

function unfinished(deps: ProvisionPanelDeps, draft: ProvisionDraft, show: () => void): HTMLElement {
  const goOn = element("button", { type: "button" }, "Go on");
  const discard = element("button", { type: "button", class: "quiet" }, "Throw it away");
  const message = element("p", {}, "An identity is half made: what was done is kept, and nothing is made twice.");
  const output = element("div", {});
  const place = { output, log: deps.log };
  whileBusy(goOn, { ...place, act: "Go on" }, async () => {
    await finish(deps, openProvisioning(deps), draft);
    show();
  });
  whileBusy(discard, { ...place, act: "Throw away" }, async () => {
    await openProvisioning(deps).discard(draft);
    deps.storage.removeItem(DRAFT_AT);
    show();
  });
  return notice("warn", message, element("div", { class: "row" }, goOn, discard), output);
}

function readDraft(storage: Storage): ProvisionDraft | undefined {
  const text = storage.getItem(DRAFT_AT);
  return text === null ? undefined : (JSON.parse(text) as ProvisionDraft);
}
