import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { button, element, field } from "@dataspace/ui/dom/element";
import type { Action, Activity } from "../activity/activity.ts";
import { PAGE_TEXTS } from "../page-texts.ts";
import { onPress } from "../run-act.ts";
import { ontologiesWithForm, titleOfOntology, titleOfRecord } from "./known-ontologies.ts";
import { POLICY_TEXTS } from "./policy-texts.ts";
import type { VaultRecord } from "./record.ts";
import { contentEditor } from "./record-editor.ts";
import { createRecord } from "./records.ts";
import type { VaultConnection } from "./vault-connection.ts";
import { NEW_RECORD_TEXTS } from "./vault-texts.ts";

const OTHER = "other";

/** Shows the form for a new record, which is not shared at first. Source: S1 "createMetaEnvelope". */
export function newRecordForm(
  deps: { readonly activity: Activity; readonly vaultOf: (action: Action) => Promise<VaultConnection> },
  exits: { readonly cancel: () => void; readonly created: (record: VaultRecord) => void },
): HTMLElement {
  const choices = [...ontologiesWithForm(), [OTHER, NEW_RECORD_TEXTS.other] as const];
  const type = element(
    "select",
    { id: "new-type" },
    ...choices.map(([id, title]) => element("option", { value: id }, title)),
  );
  type.value = ONTOLOGY_ID.SocialMediaPost;
  const id = element("input", { id: "new-ontology", autocomplete: "off", spellcheck: "false", maxlength: "256" });
  const idField = field(NEW_RECORD_TEXTS.ontology, id, NEW_RECORD_TEXTS.ontologyHint);
  const place = element("div", {});
  let editor = contentEditor(type.value, {}, false);
  const show = (): void => {
    editor = contentEditor(type.value, {}, type.value === OTHER);
    idField.hidden = type.value !== OTHER;
    place.replaceChildren(editor.element);
  };
  type.addEventListener("change", show);
  show();
  const create = button(NEW_RECORD_TEXTS.create, "");
  const cancel = button(PAGE_TEXTS.cancel);
  cancel.addEventListener("click", exits.cancel);
  const said = element("div", { "aria-live": "polite" });
  const whole = element("div", { class: "stack record" });
  onPress(create, { output: said, activity: deps.activity, doing: NEW_RECORD_TEXTS.creating }, async (action) => {
    const ontology = type.value === OTHER ? id.value.trim() : type.value;
    if (ontology === "") throw new Error(NEW_RECORD_TEXTS.noOntology);
    const payload = editor.read();
    if (Object.keys(payload).length === 0) throw new Error(NEW_RECORD_TEXTS.empty);
    const record = await createRecord(await deps.vaultOf(action), { ontology, payload, acl: [] });
    // Meanwhile another identity may have been chosen, in whose vault the record is not.
    if (whole.isConnected) exits.created(record);
    return NEW_RECORD_TEXTS.created(titleOfOntology(ontology).toLowerCase(), titleOfRecord(payload));
  });
  whole.append(
    element("h3", { tabindex: "-1" }, NEW_RECORD_TEXTS.title),
    field(NEW_RECORD_TEXTS.type, type),
    idField,
    place,
    element("p", { class: "muted small" }, POLICY_TEXTS.unshared),
    element("div", { class: "row" }, create, cancel),
    said,
  );
  return whole;
}
