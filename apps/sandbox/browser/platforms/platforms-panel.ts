import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { button, element, find, notice } from "@dataspace/ui/dom/element";
import { timeElement } from "@dataspace/ui/dom/time-element";
import type { Action, Activity } from "../activity/activity.ts";
import type { Areas } from "../areas.ts";
import { onPress, runAct } from "../run-act.ts";
import { openSelectedVault } from "../vault/vault-connection.ts";
import type { Wallet } from "../wallet.ts";
import { accessList } from "./access-list.ts";
import { termsWords, withNothing } from "./owner-terms.ts";
import { type AccessEntry, listAccess, readTerms, writeTerms } from "./platform-access.ts";

interface PanelDeps {
  readonly wallet: Wallet;
  readonly activity: Activity;
  readonly areas: Areas;
}

/** What the panel shows: the terms in force and the accesses so far. */
interface Loaded {
  readonly terms: OwnerPolicyTerms;
  readonly issuedAt: string | undefined;
  readonly entries: readonly AccessEntry[];
  readonly nextCursor: string | null;
}

/**
 * Shows which platforms had access to the selected identity's vault, and lets the owner narrow, block and restore
 * access, each by a policy that the owner signs.
 *
 * Source: decision A2.
 */
export function openPlatformsPanel(deps: PanelDeps): void {
  const { wallet, activity, areas } = deps;
  const output = find("platforms", HTMLElement);
  const refresh = find("refresh-platforms", HTMLButtonElement);
  const empty = [...output.childNodes];
  let latest = 0;
  let isStale = true;
  const load = async (action: Action): Promise<string> => {
    latest += 1;
    const turn = latest;
    const vault = await openSelectedVault(wallet, action);
    const loaded = { ...(await readTerms(vault)), ...(await listAccess(vault)) };
    if (turn === latest) show(loaded);
    return `Loaded which platforms had access: ${loaded.entries.length} entries`;
  };
  const place = { output, activity, doing: "Load platforms" };
  const reload = (): void => void runAct(place, load, reload);
  const show = (loaded: Loaded): void => output.replaceChildren(...panelOf(deps, loaded, { reload, show }));
  const reset = (): void => {
    latest += 1;
    const has = wallet.identities.selected() !== undefined;
    refresh.disabled = !has;
    output.replaceChildren(...(has ? [element("p", { class: "muted" }, "Loading …")] : empty));
    isStale = has;
    loadWhenShown();
  };
  // Nothing is asked before the visitor looks.
  const loadWhenShown = (): void => {
    if (!isStale || areas.current() !== "vault") return;
    isStale = false;
    reload();
  };
  areas.onShow(loadWhenShown);
  onPress(refresh, place, load);
  wallet.identities.onChange(reset);
  reset();
}

interface Turns {
  readonly reload: () => void;
  readonly show: (loaded: Loaded) => void;
}

function panelOf(deps: PanelDeps, loaded: Loaded, { reload, show }: Turns): readonly HTMLElement[] {
  const { terms, issuedAt, entries, nextCursor } = loaded;
  const proposal = element("div", { class: "stack", "aria-live": "polite" });
  const propose = (next: OwnerPolicyTerms): void => {
    proposal.replaceChildren(consent(deps, next, { close: () => proposal.replaceChildren(), reload }));
    proposal.querySelector("button")?.focus();
  };
  const block = button("Block all platforms", "danger small");
  const restore = button("Restore the defaults", "quiet small");
  block.disabled = terms.allowedDomains?.length === 0;
  restore.disabled = JSON.stringify(terms) === JSON.stringify(DEFAULT_OWNER_TERMS);
  block.addEventListener("click", () => propose(withNothing(terms)));
  restore.addEventListener("click", () => propose(DEFAULT_OWNER_TERMS));
  const since =
    issuedAt === undefined
      ? ["You have signed no policy, so the defaults count."]
      : ["Your policy, signed ", timeElement(issuedAt), ":"];
  return [
    element("p", { class: "muted" }, ...since),
    element("ul", { class: "words" }, ...termsWords(terms).map((sentence) => element("li", {}, sentence))),
    element("p", { class: "muted small" }, "A policy holds for all certified platforms; it cannot name one of them."),
    element("div", { class: "row" }, block, restore),
    proposal,
    accessList(entries, terms, propose),
    ...(nextCursor === null ? [] : moreAccess(deps, { ...loaded, nextCursor }, show)),
  ];
}

function moreAccess(
  { wallet, activity }: PanelDeps,
  loaded: Loaded & { readonly nextCursor: string },
  show: (loaded: Loaded) => void,
): readonly HTMLElement[] {
  const more = button("Earlier accesses");
  const said = element("div", { "aria-live": "polite" });
  onPress(more, { output: said, activity, doing: "Load earlier accesses" }, async (action) => {
    const older = await listAccess(await openSelectedVault(wallet, action), loaded.nextCursor);
    show({ ...loaded, entries: [...loaded.entries, ...older.entries], nextCursor: older.nextCursor });
    return "Loaded earlier accesses";
  });
  return [more, said];
}

function consent(
  { wallet, activity }: PanelDeps,
  terms: OwnerPolicyTerms,
  { close, reload }: { readonly close: () => void; readonly reload: () => void },
): HTMLElement {
  const sign = button("Sign and apply", "");
  const cancel = button("Cancel");
  const said = element("div", {});
  cancel.addEventListener("click", close);
  onPress(sign, { output: said, activity, doing: "Sign an access policy" }, async (action) => {
    const identity = wallet.identities.selected();
    if (identity === undefined) throw new Error("Provision an identity first.");
    await writeTerms(await openSelectedVault(wallet, action), await wallet.keyOf(identity), terms);
    reload();
    return "Signed an access policy; it counts from the next request of every platform";
  });
  return notice(
    "warn",
    element("p", {}, element("strong", {}, "You are about to sign this policy:")),
    element("ul", { class: "words" }, ...termsWords(terms).map((sentence) => element("li", {}, sentence))),
    element("div", { class: "row" }, sign, cancel),
    said,
  );
}
