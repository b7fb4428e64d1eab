import { button, element, emptyState, find, skeleton } from "@dataspace/ui/dom/element";
import { timeElement } from "@dataspace/ui/dom/time-element";
import type { Action, Activity } from "../activity/activity.ts";
import { focusHeading } from "../focus.ts";
import { onPress, runAct } from "../run-act.ts";
import { knownOntologies, titleOfOntology, titleOfRecord } from "./known-ontologies.ts";
import type { PageOf, VaultRecord } from "./record.ts";
import { listRecords, listWriteTimes } from "./records.ts";
import type { VaultConnection } from "./vault-connection.ts";
import { VAULT_TEXTS } from "./vault-texts.ts";

/** The list of a vault's records on the page. */
export interface RecordList {
  readonly element: HTMLElement;
  /** Loads the first page again, and focuses that record's row, if it is there. */
  readonly reload: (focusId?: string) => void;
}

interface ListDeps {
  readonly activity: Activity;
  /** The form with the search and the filter. */
  readonly toolbar: HTMLFormElement;
  readonly vaultOf: (action: Action) => Promise<VaultConnection>;
}

const SEARCH_DELAY_MS = 300;

/** Makes the list: title, type and time of each record, newest first, page by page. Source: S1 "metaEnvelopes". */
export function createRecordList(deps: ListDeps, open: (record: VaultRecord) => void): RecordList {
  const search = find("record-search", HTMLInputElement);
  const type = find("record-type", HTMLSelectElement);
  const known = knownOntologies().map(([id, title]) => element("option", { value: id }, title));
  type.replaceChildren(element("option", { value: "" }, VAULT_TEXTS.allTypes), ...known);
  const rows = element("ul", { class: "records" });
  const count = element("p", { class: "muted small", role: "status" });
  const end = element("div", { class: "stack" });
  const whole = element("div", { class: "stack" }, count, rows, end);
  let latest = 0;
  const loadPage = async (action: Action, before?: string): Promise<string> => {
    const turn = latest;
    const vault = await deps.vaultOf(action);
    const page = await listRecords(vault, { ontology: type.value, search: search.value.trim().slice(0, 256), before });
    const times = await listWriteTimes(
      vault,
      page.items.map(({ id }) => id),
    );
    if (turn !== latest) return VAULT_TEXTS.stale;
    if (before === undefined) rows.replaceChildren();
    const added = page.items.map((record) => toRow(record, times.get(record.id) ?? "", open));
    const hadFocus = end.contains(document.activeElement);
    rows.append(...added);
    if (hadFocus) added[0]?.querySelector("button")?.focus();
    addTypes(type, page.items);
    count.textContent = VAULT_TEXTS.count(page.total);
    showEnd(page);
    return VAULT_TEXTS.loaded(page.items.length, page.total);
  };
  // Meanwhile another identity, search or filter may have been chosen.
  const failUnlessStale = (error: unknown, turn: number): string => {
    if (turn === latest) throw error;
    return VAULT_TEXTS.stale;
  };
  const showEnd = ({ next, items }: PageOf<VaultRecord>): void => {
    end.replaceChildren();
    if (next !== null) end.append(...moreButton(deps, (action) => loadPage(action, next)));
    else if (items.length === 0) end.append(nothing(search.value.trim() !== "" || type.value !== ""));
  };
  const reload = (focusId?: string): void => {
    latest += 1;
    const turn = latest;
    rows.setAttribute("aria-busy", "true");
    if (rows.childElementCount === 0) end.replaceChildren(skeleton(VAULT_TEXTS.loading));
    const place = { output: end, activity: deps.activity, doing: VAULT_TEXTS.load };
    void runAct(
      place,
      (action) => loadPage(action).catch((error: unknown) => failUnlessStale(error, turn)),
      () => reload(focusId),
    ).then(() => {
      if (turn !== latest) return;
      rows.removeAttribute("aria-busy");
      if (focusId !== undefined) focusRow(rows, focusId);
    });
  };
  let waiting = 0;
  search.addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = window.setTimeout(() => reload(), SEARCH_DELAY_MS);
  });
  type.addEventListener("change", () => reload());
  deps.toolbar.addEventListener("submit", (event) => {
    event.preventDefault();
    reload();
  });
  return {
    element: whole,
    reload: (focusId) => {
      if (focusId === undefined) rows.replaceChildren();
      reload(focusId);
    },
  };
}

// A row that the list does not show leaves the focus at the heading. A control that has the focus keeps it; a heading
// has it only where it was moved there.
function focusRow(rows: HTMLElement, id: string): void {
  const focused = document.activeElement;
  if (focused instanceof HTMLElement && focused.tabIndex >= 0 && !rows.contains(focused)) return;
  const row = rows.querySelector<HTMLElement>(`[data-id="${CSS.escape(id)}"]`);
  if (row === null) focusHeading(rows);
  else row.focus();
}

function toRow(record: VaultRecord, time: string, open: (record: VaultRecord) => void): HTMLElement {
  const row = element(
    "button",
    { type: "button", class: "record-row", "data-id": record.id },
    element("span", { class: "title" }, titleOfRecord(record.parsed)),
    element("span", { class: "chip" }, titleOfOntology(record.ontology)),
    ...(time === "" ? [] : [timeElement(time)]),
  );
  row.addEventListener("click", () => open(record));
  return element("li", {}, row);
}

// An ontology that this page does not know can be filtered by once it was seen.
function addTypes(type: HTMLSelectElement, records: readonly VaultRecord[]): void {
  const known = new Set([...type.options].map(({ value }) => value));
  for (const ontology of new Set(records.map((record) => record.ontology))) {
    if (!known.has(ontology)) type.append(element("option", { value: ontology }, titleOfOntology(ontology)));
  }
}

function moreButton({ activity }: ListDeps, load: (action: Action) => Promise<string>): readonly HTMLElement[] {
  const more = button(VAULT_TEXTS.more);
  const said = element("div", { "aria-live": "polite" });
  onPress(more, { output: said, activity, doing: VAULT_TEXTS.loadMore }, load);
  return [more, said];
}

function nothing(isFiltered: boolean): HTMLElement {
  return isFiltered
    ? emptyState("search", VAULT_TEXTS.nothingFound.title, VAULT_TEXTS.nothingFound.text)
    : emptyState("records", VAULT_TEXTS.none.title, VAULT_TEXTS.none.text);
}
