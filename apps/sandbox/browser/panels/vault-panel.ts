import type { ActionLog } from "../action-log.ts";
import { element, find, notice } from "../element.ts";
import { policyWords } from "../policy-words.ts";
import { readContent } from "../record-content.ts";
import { openVault, type PageOf, type Payload, type VaultRecord, type VaultSession } from "../vault-session.ts";
import { visibleText } from "../visible-text.ts";
import type { Wallet } from "../wallet.ts";
import { type ShownHistory, showHistory } from "./history-view.ts";
import { type ActPlace, tellFault, whileBusy } from "./while-busy.ts";

/** Shows the selected identity's records, the permissions on each, and its history. Source: S1 "GraphQL API". */
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
  const title = element("span", {}, titleOf(parsed));
  const text = element("textarea", { id: `content-${id}`, rows: "10", spellcheck: "false" }, toText(parsed));
  const history: ShownHistory = {
    ...shown,
    id,
    place: { output: element("div", { class: "stack" }), log: shown.place.log, act: "History" },
    onContent: (now) => {
      title.textContent = titleOf(now);
      text.value = toText(now);
    },
  };
  const body = element(
    "div",
    { class: "stack" },
    editor(history, record, text),
    element("h3", {}, "Who may do what"),
    element("ul", {}, ...policyWords(_acl).map((sentence) => element("li", {}, visibleText(sentence)))),
    element("h3", {}, "History"),
    history.place.output,
  );
  const summary = element(
    "summary",
    {},
    title,
    " ",
    element("span", { class: "muted mono small" }, visibleText(`${ontology} ${id}`)),
  );
  const details = element("details", {}, summary, body);
  // A history is loaded when the visitor opens it, not for every record of a list.
  details.addEventListener("toggle", () => {
    if (!details.open || history.place.output.childElementCount > 0) return;
    showHistory(history).catch((error: unknown) => tellFault(history.place, error));
  });
  return details;
}

function editor(history: ShownHistory, { id, ontology }: VaultRecord, text: HTMLTextAreaElement): HTMLElement {
  const save = element("button", { type: "button", class: "quiet" }, "Save");
  const said = element("div", { "aria-live": "polite" });
  whileBusy(save, { output: said, log: history.place.log, act: "Save" }, async () => {
    const changed = await history.vault.changeRecord({ id, ontology, payload: readContent(text.value) });
    history.onContent(changed.parsed);
    said.replaceChildren(notice("ok", "Saved as a new version."));
    await showHistory(history);
  });
  const field = element("div", { class: "field" }, element("label", { for: text.id }, "Content"), text);
  return element("div", { class: "stack" }, field, element("div", { class: "row" }, save), said);
}

function toText(parsed: Payload): string {
  return JSON.stringify(parsed, undefined, 2);
}

function titleOf(parsed: Payload): string {
  const named = ["displayName", "title", "name"]
    .map((field) => parsed[field])
    .find((value) => typeof value === "string");
  return visibleText(named ?? "Record");
}
