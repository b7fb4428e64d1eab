import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { button, element, find, notice, skeleton } from "@dataspace/ui/dom/element";
import { timeElement } from "@dataspace/ui/dom/time-element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { Action, Activity } from "../activity/activity.ts";
import type { Areas } from "../areas.ts";
import { replaceContent } from "../focus.ts";
import type { Identity } from "../identity/identities.ts";
import { shownName } from "../identity/shown-name.ts";
import { PAGE_TEXTS } from "../page-texts.ts";
import { onPress, runAct } from "../run-act.ts";
import { openVault, type VaultConnection } from "../vault/vault-connection.ts";
import type { Wallet } from "../wallet.ts";
import { accessList } from "./access-list.ts";
import { termsWords, withNothing } from "./owner-terms.ts";
import { type AccessEntry, listAccess, readTerms, writeTerms } from "./platform-access.ts";
import { PLATFORMS_TEXTS, TERMS_TEXTS } from "./platforms-texts.ts";

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
  let load: (() => void) | undefined;
  // Each identity has a place of its own: an answer that comes late for another one is drawn where nobody sees it.
  const reset = (): void => {
    const identity = wallet.identities.selected();
    refresh.disabled = identity === undefined;
    if (identity === undefined) {
      load = undefined;
      output.replaceChildren(...empty);
      return;
    }
    const place = element("div", { class: "stack" }, skeleton(PLATFORMS_TEXTS.loading));
    output.replaceChildren(place);
    const reload = loaderOf({ wallet, activity, identity }, place);
    load = reload;
    isStale = true;
    loadWhenShown();
  };
  let isStale = false;
  // Nothing is asked before the visitor looks.
  const loadWhenShown = (): void => {
    if (!isStale || areas.current() !== "vault") return;
    isStale = false;
    load?.();
  };
  areas.onShow(loadWhenShown);
  refresh.addEventListener("click", () => load?.());
  wallet.identities.onChange(reset);
  reset();
}

/** The panel of one identity. */
interface OwnPanel {
  readonly wallet: Wallet;
  readonly activity: Activity;
  readonly identity: Identity;
}

// Loads the panel into its place; of several loads the one that began last is shown.
function loaderOf(panel: OwnPanel, place: HTMLElement): () => void {
  let latest = 0;
  const show = (loaded: Loaded): void => replaceContent(place, ...panelOf(panel, loaded, { reload, show }));
  const reload = (): void => {
    latest += 1;
    const turn = latest;
    const act = async (action: Action): Promise<string> => {
      const vault = await vaultOf(panel, action);
      const loaded = { ...(await readTerms(vault)), ...(await listAccess(vault)) };
      if (turn === latest) show(loaded);
      return PLATFORMS_TEXTS.loaded(loaded.entries.length);
    };
    void runAct({ output: place, activity: panel.activity, doing: PLATFORMS_TEXTS.load }, act, reload);
  };
  return reload;
}

async function vaultOf({ wallet, identity }: OwnPanel, action: Action): Promise<VaultConnection> {
  return openVault({ action, key: await wallet.keyOf(identity) }, identity);
}

interface Turns {
  readonly reload: () => void;
  readonly show: (loaded: Loaded) => void;
}

function panelOf(panel: OwnPanel, loaded: Loaded, { reload, show }: Turns): readonly HTMLElement[] {
  const { terms, issuedAt, entries, nextCursor } = loaded;
  const proposal = element("div", { class: "stack", "aria-live": "polite" });
  const propose = (next: OwnerPolicyTerms): void => {
    proposal.replaceChildren(consent(panel, next, { close: () => replaceContent(proposal), reload }));
    proposal.querySelector("button")?.focus();
  };
  const block = button(TERMS_TEXTS.blockAll, "danger small");
  const restore = button(TERMS_TEXTS.restore, "quiet small");
  block.disabled = terms.allowedDomains?.length === 0;
  restore.disabled = JSON.stringify(terms) === JSON.stringify(DEFAULT_OWNER_TERMS);
  block.addEventListener("click", () => propose(withNothing(terms)));
  restore.addEventListener("click", () => propose(DEFAULT_OWNER_TERMS));
  const since =
    issuedAt === undefined
      ? [TERMS_TEXTS.defaultsApply]
      : [TERMS_TEXTS.signedBefore, timeElement(issuedAt), TERMS_TEXTS.signedAfter];
  return [
    element("p", { class: "muted" }, ...since),
    element("ul", { class: "words" }, ...termsItems(terms)),
    element("p", { class: "muted small" }, TERMS_TEXTS.forAll),
    element("div", { class: "row" }, block, restore),
    proposal,
    accessList(entries, terms, propose),
    ...(nextCursor === null ? [] : moreAccess(panel, { ...loaded, nextCursor }, show)),
  ];
}

function moreAccess(
  panel: OwnPanel,
  loaded: Loaded & { readonly nextCursor: string },
  show: (loaded: Loaded) => void,
): readonly HTMLElement[] {
  const more = button(PLATFORMS_TEXTS.more);
  const said = element("div", { "aria-live": "polite" });
  onPress(more, { output: said, activity: panel.activity, doing: PLATFORMS_TEXTS.loadMore }, async (action) => {
    const older = await listAccess(await vaultOf(panel, action), loaded.nextCursor);
    show({ ...loaded, entries: [...loaded.entries, ...older.entries], nextCursor: older.nextCursor });
    return PLATFORMS_TEXTS.loadedMore;
  });
  return [more, said];
}

function consent(
  panel: OwnPanel,
  terms: OwnerPolicyTerms,
  { close, reload }: { readonly close: () => void; readonly reload: () => void },
): HTMLElement {
  const sign = button(TERMS_TEXTS.sign, "");
  const cancel = button(PAGE_TEXTS.cancel);
  const said = element("div", {});
  cancel.addEventListener("click", close);
  onPress(sign, { output: said, activity: panel.activity, doing: TERMS_TEXTS.signing }, async (action) => {
    await writeTerms(await vaultOf(panel, action), await panel.wallet.keyOf(panel.identity), terms);
    reload();
    return TERMS_TEXTS.signed;
  });
  return notice(
    "warn",
    element("p", {}, element("strong", {}, TERMS_TEXTS.ask)),
    element("p", { class: "small" }, TERMS_TEXTS.signer(shownName(panel.identity), panel.identity.ename)),
    element("ul", { class: "words" }, ...termsItems(terms)),
    element("div", { class: "row" }, sign, cancel),
    said,
  );
}

function termsItems(terms: OwnerPolicyTerms): readonly HTMLElement[] {
  return termsWords(terms).map((sentence) => element("li", {}, visibleText(sentence)));
}
