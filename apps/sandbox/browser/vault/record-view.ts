import { FILE_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import { button, copyable, element, facts } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { onPress } from "../run-act.ts";
import { toText } from "../shown-text.ts";
import { filePreview } from "./file-preview.ts";
import { historyView } from "./history-view.ts";
import { isEditable, titleOfOntology, titleOfRecord } from "./known-ontologies.ts";
import { type OpenedRecord, openRecord } from "./opened-record.ts";
import type { VaultRecord } from "./record.ts";
import { type RecordEditor, recordEditor } from "./record-editor.ts";
import { RECORD_TEXTS } from "./record-texts.ts";
import { listVersions, removeRecord } from "./records.ts";
import { sharingEditor } from "./sharing-editor.ts";

/** How to leave a record: back to the list, which has changed or not, or after its removal. */
export interface RecordExits {
  readonly back: () => void;
  /** `version` is the one to restore. */
  readonly removed: (removed: { readonly id: string; readonly title: string; readonly version: number }) => void;
}

/** Shows one record: content, file, sharing and history. Source: S1 "GraphQL API". */
export function recordView(
  deps: Pick<OpenedRecord, "owner" | "activity" | "vaultOf">,
  first: VaultRecord,
  exits: RecordExits,
): HTMLElement {
  const heading = element("h3", { tabindex: "-1" }, titleOfRecord(first.parsed));
  const sharing = element("div", {});
  const opened = openRecord(deps, first, () => {
    heading.textContent = opened.title();
    history.reload();
  });
  const content = contentOf(opened);
  const history = historyView(opened, content.reload);
  sharing.append(sharingEditor(opened));
  const back = button(RECORD_TEXTS.all, "quiet small back");
  back.addEventListener("click", exits.back);
  const { id, ontology } = first;
  return element(
    "div",
    { class: "stack record" },
    element("div", { class: "row spread" }, back, ...(isEditable(ontology) ? [removal(opened, exits)] : [])),
    heading,
    facts([
      [RECORD_TEXTS.type, titleOfOntology(ontology)],
      [RECORD_TEXTS.record, copyable(id, RECORD_TEXTS.recordId)],
    ]),
    section(RECORD_TEXTS.content, content.element),
    ...(ontology === FILE_ONTOLOGY ? [section(RECORD_TEXTS.file, filePreview(opened))] : []),
    section(RECORD_TEXTS.sharing, sharing),
    section(RECORD_TEXTS.history, history.element),
  );
}

function section(title: string, ...content: readonly HTMLElement[]): HTMLElement {
  return element("section", { class: "stack part" }, element("h4", {}, title), ...content);
}

function contentOf(opened: OpenedRecord): RecordEditor {
  const { ontology, parsed } = opened.record;
  if (isEditable(ontology)) return recordEditor(opened);
  const shown = element(
    "pre",
    { class: "wrapped", tabindex: "0", "aria-label": RECORD_TEXTS.content },
    visibleText(toText(parsed)),
  );
  return {
    element: element("div", { class: "stack" }, element("p", { class: "muted" }, RECORD_TEXTS.readOnly), shown),
    reload: () => undefined,
  };
}

function removal(opened: OpenedRecord, exits: RecordExits): HTMLElement {
  const remove = button(RECORD_TEXTS.delete, "danger small");
  const output = element("div", { "aria-live": "polite" });
  onPress(remove, { output, activity: opened.activity, doing: RECORD_TEXTS.deleting }, async (action) => {
    const { id } = opened.record;
    const title = opened.title();
    const vault = await opened.vaultOf(action);
    const { items } = await listVersions(vault, id);
    await removeRecord(vault, id);
    exits.removed({ id, title, version: items[0]?.version ?? 1 });
    return RECORD_TEXTS.deleted(title);
  });
  return element("div", { class: "stack end" }, remove, output);
}
