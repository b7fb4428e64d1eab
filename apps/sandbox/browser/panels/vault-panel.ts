import type { ActionLog } from "../action-log.ts";
import { element, find, notice } from "../element.ts";
import { policyWords } from "../policy-words.ts";
import { readContent } from "../record-content.ts";
import { openVault, type PageOf, type VaultRecord, type VaultSession } from "../vault-session.ts";
import type { Wallet } from "../wallet.ts";
import { showHistory } from "./history-view.ts";
import { type ActPlace, tellFault, whileBusy } from "./while-busy.ts";

/** Shows the selected identity's records, what may be done with each, and its history. Source: S1 "GraphQL API". */
export function openVaultPanel({ wallet, log }: { readonly wallet: Wallet; readonly log: ActionLog }): void {
  const { identities } = wallet;
  const button = find("browse", HTMLButtonElement);
  const output = find("records", HTMLElement);
  const place = { output, log, act: "Load records" };
  const reset = (): void => {
    button.disabled = identities.selected() === undefined;
    output.replaceChildren(element("p", { class: "muted" }, "Records of the selected identity appear here."));
  };
  identities.onChange(reset);
  reset();
  whileBusy(button, place, async () => {
    const identity = identities.selected();
    if (identity === undefined) return;
    const vault = openVault({ report: log.report, key: await wallet.keyOf(identity) }, identity);
    output.replaceChildren();
    await showPage({ vault, place }, await vault.listRecords());
  });
}

interface Shown {
  readonly vault: VaultSession;
  readonly place: ActPlace;
}

async function showPage(shown: Shown, { items, next }: PageOf<VaultRecord>): Promise<void> {
  const { output } = shown.place;
  output.append(...items.map((record) => toRecord(shown, record)));
  if (output.childElementCount === 0) output.append(element("p", { class: "muted" }, "This vault holds no records."));
  if (next === null) return;
  const more = element("button", { type: "button", class: "quiet" }, "More records");
  output.append(more);
  whileBusy(more, { ...shown.place, act: "More records" }, async () => {
    const page = await shown.vault.listRecords(next);
    more.remove();
    await showPage(shown, page);
  });
}

function toRecord(shown: Shown, record: VaultRecord): HTMLElement {
  const { id, ontology, parsed, _acl } = record;
  const history = element("div", { class: "stack" });
  const body = element(
    "div",
    { class: "stack" },
    editor(shown, record, history),
    element("h3", {}, "Who may do what"),
    element("ul", {}, ...policyWords(_acl).map((sentence) => element("li", {}, sentence))),
    element("h3", {}, "History"),
    history,
  );
  const title = element(
    "summary",
    {},
    titleOf(parsed),
    " ",
    element("span", { class: "muted mono small" }, `${ontology} ${id}`),
  );
  const details = element("details", {}, title, body);
  // A history is asked for when somebody looks, not for every record of a list.
  details.addEventListener("toggle", () => {
    if (!details.open || history.childElementCount > 0) return;
    const place = { output: history, log: shown.place.log, act: "History" };
    showHistory({ vault: shown.vault, place, id }).catch((error: unknown) => tellFault(place, error));
  });
  return details;
}

function editor(shown: Shown, { id, ontology, parsed }: VaultRecord, history: HTMLElement): HTMLElement {
  const name = `content-${id}`;
  const text = element("textarea", { id: name, rows: "10", spellcheck: "false" }, JSON.stringify(parsed, undefined, 2));
  const save = element("button", { type: "button", class: "quiet" }, "Save");
  const said = element("div", { "aria-live": "polite" });
  whileBusy(save, { output: said, log: shown.place.log, act: "Save" }, async () => {
    const changed = await shown.vault.changeRecord({ id, ontology, payload: readContent(text.value) });
    text.value = JSON.stringify(changed.parsed, undefined, 2);
    said.replaceChildren(notice("ok", "Saved as a new version."));
    await showHistory({ vault: shown.vault, place: { ...shown.place, output: history }, id });
  });
  const label = element("label", { for: name }, "Content");
  const field = element("div", { class: "field" }, label, text);
  return element("div", { class: "stack" }, field, element("div", { class: "row" }, save), said);
}

function titleOf(parsed: Readonly<Record<string, unknown>>): string {
  const named = ["displayName", "title", "name"]
    .map((field) => parsed[field])
    .find((value) => typeof value === "string");
  return named ?? "Record";
}
