import { button, element, find, notice } from "@dataspace/ui/dom/element";
import { createProvisioning, type Provisioning } from "@dataspace/wallet/provisioning";
import type { ProvisionDraft } from "@dataspace/wallet/provision-draft";
import type { Action, Activity } from "../activity/activity.ts";
import { onPress } from "../run-act.ts";
import { openVault } from "../vault/vault-connection.ts";
import type { Wallet } from "../wallet.ts";
import type { Connections } from "./connection.ts";
import { createProvisionSteps, type ProvisionSteps } from "./provision-steps.ts";
import { PROVISION_TEXTS } from "./provision-texts.ts";
import type { UnfinishedDraft } from "./unfinished-draft.ts";
import { findProfile, writeProfile } from "./write-profile.ts";

interface ProvisionPanelDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
  readonly connections: Connections;
  readonly unfinished: UnfinishedDraft;
}

/** A provisioning that runs: its entry in the log, and its steps on the page. */
interface Running {
  readonly action: Action;
  readonly steps: ProvisionSteps;
}

/**
 * Creates an identity at the press of a button: key, entropy, vault, certificate, and a profile. An interrupted one is
 * stored, to be resumed or discarded. Source: S3 "Sandbox", provision.
 */
export function openProvisionPanel(deps: ProvisionPanelDeps): void {
  const { activity, connections, unfinished } = deps;
  const provision = find("provision", HTMLButtonElement);
  const output = element("div", { class: "stack" });
  const progress = element("div", {});
  const half = element("div", {});
  find("unfinished", HTMLElement).replaceChildren(progress, output, half);
  const run = async (action: Action, begin: (provisioning: Provisioning) => Promise<unknown>): Promise<string> => {
    output.replaceChildren();
    const steps = createProvisionSteps();
    try {
      progress.replaceChildren(steps.element);
      const provisioning = openProvisioning(deps, { action, steps });
      await begin(provisioning);
      const sentence = await finish(deps, { action, steps }, provisioning);
      progress.replaceChildren();
      output.replaceChildren(notice("ok", element("p", {}, sentence)));
      return sentence;
    } catch (error) {
      steps.stop();
      throw error;
    } finally {
      show();
    }
  };
  const show = (): void => {
    const resume = (action: Action): Promise<string> => run(action, async () => undefined);
    half.replaceChildren(...(unfinished.read() === undefined ? [] : [halfMade(deps, { output, resume, show })]));
  };
  show();
  onPress(provision, { output, activity, doing: PROVISION_TEXTS.provision }, async (action) => {
    if (unfinished.read() !== undefined) throw new Error(PROVISION_TEXTS.finishFirst);
    const { verificationId } = connections.current();
    return run(action, (provisioning) => provisioning.begin({ id: crypto.randomUUID(), verificationId }));
  });
}

function openProvisioning(
  { wallet, connections, unfinished }: ProvisionPanelDeps,
  { action, steps }: Running,
): Provisioning {
  steps.reach("keys");
  const save = (draft: ProvisionDraft): void => {
    unfinished.write(draft);
    steps.reach(draft.step === "vault" ? "certificate" : "vault");
  };
  const { fetch, report } = action;
  return createProvisioning(
    { fetch, clock: { nowMs: () => Date.now() }, keys: wallet.keys, save, report },
    connections.current(),
  );
}

async function finish(deps: ProvisionPanelDeps, running: Running, provisioning: Provisioning): Promise<string> {
  const { wallet, connections, unfinished } = deps;
  const { action, steps } = running;
  const draft = unfinished.read();
  if (draft === undefined) throw new Error(PROVISION_TEXTS.nothingUnfinished);
  steps.reach(draft.step === "vault" ? "certificate" : "vault");
  // A refused code is not tried again once the visitor has entered another.
  const { verificationId } = connections.current();
  const { id, ename, vaultUrl } = await provisioning.resume({ ...draft, verificationId });
  action.say(PROVISION_TEXTS.provisioned(ename, vaultUrl));
  action.say(PROVISION_TEXTS.synced);
  steps.reach("profile");
  const at = { ename, vaultUrl, keyId: id };
  const vault = openVault({ action, key: await wallet.keyOf(at) }, at);
  const displayName = (await findProfile(vault)) ?? (await writeProfile(vault));
  action.say(PROVISION_TEXTS.wroteProfile(displayName));
  steps.finish();
  wallet.identities.put({ ...at, displayName });
  unfinished.remove();
  return PROVISION_TEXTS.ready(displayName);
}

function halfMade(
  deps: ProvisionPanelDeps,
  shown: {
    readonly output: HTMLElement;
    readonly resume: (action: Action) => Promise<string>;
    readonly show: () => void;
  },
): HTMLElement {
  const { activity, unfinished } = deps;
  const goOn = button(PROVISION_TEXTS.continue, "");
  const discard = button(PROVISION_TEXTS.discard);
  const message = element("p", {}, PROVISION_TEXTS.unfinished);
  const { output } = shown;
  onPress(goOn, { output, activity, doing: PROVISION_TEXTS.continuing }, shown.resume);
  // Each reads the draft again: an attempt in between may have created a vault, whose key must not be deleted.
  onPress(discard, { output, activity, doing: PROVISION_TEXTS.discarding }, async (action) => {
    const draft = unfinished.read();
    const steps = createProvisionSteps();
    if (draft !== undefined) await openProvisioning(deps, { action, steps }).discard(draft);
    unfinished.remove();
    output.replaceChildren();
    shown.show();
    return PROVISION_TEXTS.discarded;
  });
  return notice("warn", message, element("div", { class: "row" }, goOn, discard));
}
