import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { createProvisioning, type Provisioning } from "@dataspace/wallet/provisioning";
import type { EName } from "@dataspace/protocol/ename";
import type { ActionLog } from "../action-log.ts";
import type { Connections } from "../connection.ts";
import { element, find, notice } from "../element.ts";
import { randomProfile } from "../random-profile.ts";
import type { UnfinishedDraft } from "../unfinished-draft.ts";
import { openVault, type VaultSession } from "../vault-session.ts";
import type { Wallet } from "../wallet.ts";
import { whileBusy } from "./while-busy.ts";

interface ProvisionPanelDeps {
  readonly wallet: Wallet;
  readonly log: ActionLog;
  readonly connections: Connections;
  readonly unfinished: UnfinishedDraft;
}

/**
 * Creates an identity at the press of a button: key, entropy, vault, certificate, and a profile. An interrupted one is
 * stored, to be resumed or discarded. Source: S3 "Sandbox", provision.
 */
export function openProvisionPanel(deps: ProvisionPanelDeps): void {
  const { log, connections, unfinished } = deps;
  const button = find("provision", HTMLButtonElement);
  const output = element("div", {});
  const half = element("div", {});
  find("unfinished", HTMLElement).replaceChildren(output, half);
  const show = (): void => {
    half.replaceChildren(...(unfinished.read() === undefined ? [] : [halfMade(deps, show)]));
  };
  show();
  whileBusy(button, { output, log, act: "Provision" }, async () => {
    output.replaceChildren();
    if (unfinished.read() !== undefined) throw new Error("First continue with the identity below, or discard it.");
    log.say("info", "Provisioning begins: a new key");
    const provisioning = openProvisioning(deps);
    const { verificationId } = connections.current();
    await provisioning.begin({ id: crypto.randomUUID(), verificationId });
    try {
      await finish(deps, provisioning);
    } finally {
      show();
    }
  });
}

function openProvisioning({ wallet, log, connections, unfinished }: ProvisionPanelDeps): Provisioning {
  const clock = { nowMs: () => Date.now() };
  const deps = { fetch, clock, keys: wallet.keys, save: unfinished.write, report: log.report };
  return createProvisioning(deps, connections.current());
}

async function finish(deps: ProvisionPanelDeps, provisioning: Provisioning): Promise<void> {
  const { wallet, log, connections, unfinished } = deps;
  const draft = unfinished.read();
  if (draft === undefined) return;
  // A refused code is not tried again once the visitor has entered another.
  const { verificationId } = connections.current();
  const { id, ename, vaultUrl } = await provisioning.resume({ ...draft, verificationId });
  log.say("ok", `Provisioned ${ename}; its key is certified`);
  const at = { ename, vaultUrl, keyId: id };
  const vault = openVault({ report: log.report, key: await wallet.keyOf(at) }, at);
  const displayName = (await findProfile(vault)) ?? (await writeProfile(vault, ename));
  log.say("ok", `Wrote the profile of ${displayName}`);
  wallet.identities.put({ ...at, displayName });
  unfinished.remove();
}

// It exists already if an earlier attempt wrote it and its answer was lost.
async function findProfile(vault: VaultSession): Promise<string | undefined> {
  const { items } = await vault.listRecords();
  const name = items.find(({ ontology }) => ontology === ONTOLOGY_ID.User)?.parsed["displayName"];
  return typeof name === "string" ? name : undefined;
}

async function writeProfile(vault: VaultSession, ename: EName): Promise<string> {
  const profile = randomProfile(ename, Math.random, new Date().toISOString());
  await vault.createRecord({ ontology: ONTOLOGY_ID.User, payload: profile, acl: ["*"] });
  return profile.displayName;
}

function halfMade(deps: ProvisionPanelDeps, show: () => void): HTMLElement {
  const goOn = element("button", { type: "button" }, "Continue");
  const discard = element("button", { type: "button", class: "quiet" }, "Discard");
  const message = element("p", {}, "An identity is unfinished: its progress is stored, and no step runs twice.");
  const output = element("div", {});
  const place = { output, log: deps.log };
  whileBusy(goOn, { ...place, act: "Continue" }, async () => {
    await finish(deps, openProvisioning(deps));
    show();
  });
  // Each reads the draft again: an attempt in between may have created a vault, whose key must not be deleted.
  whileBusy(discard, { ...place, act: "Throw away" }, async () => {
    const draft = deps.unfinished.read();
    if (draft !== undefined) await openProvisioning(deps).discard(draft);
    deps.unfinished.remove();
    show();
  });
  return notice("warn", message, element("div", { class: "row" }, goOn, discard), output);
}
