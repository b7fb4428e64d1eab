import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { button, element, field } from "@dataspace/ui/dom/element";
import type { Action, Activity } from "../activity/activity.ts";
import { onPress } from "../run-act.ts";
import { ontologiesWithForm, titleOfOntology, titleOfRecord } from "./known-ontologies.ts";
import { UNSHARED } from "./policy-words.ts";
import type { VaultRecord } from "./record.ts";
import { contentEditor } from "./record-editor.ts";
import { createRecord } from "./records.ts";
import type { VaultConnection } from "./vault-connection.ts";

const OTHER = "other";

/** Shows the form for a new record, which is not shared at first. Source: S1 "createMetaEnvelope". */
export function newRecordForm(
  deps: { readonly activity: Activity; readonly vaultOf: (action: Action) => Promise<VaultConnection> },
  exits: { readonly cancel: () => void; readonly created: (record: VaultRecord) => void },
): HTMLElement {
  const choices = [...ontologiesWithForm(), [OTHER, "Something else (JSON)"] as const];
  const type = element(
    "select",
    { id: "new-type" },
    ...choices.map(([id, title]) => element("option", { value: id }, title)),
  );
  type.value = ONTOLOGY_ID.SocialMediaPost;
  const id = element("input", { id: "new-ontology", autocomplete: "off", spellcheck: "false", maxlength: "256" });
  const idField = field("Ontology", id, "The id of the schema, usually a UUID.");
  const place = element("div", {});
  let editor = contentEditor(type.value, {}, false);
  const show = (): void => {
    editor = contentEditor(type.value, {}, type.value === OTHER);
    idField.hidden = type.value !== OTHER;
    place.replaceChildren(editor.element);
  };
  type.addEventListener("change", show);
  show();
  const create = button("Create record", "");
  const cancel = button("Cancel");
  cancel.addEventListener("click", exits.cancel);
  const said = element("div", { "aria-live": "polite" });
  const whole = element("div", { class: "stack record" });
  onPress(create, { output: said, activity: deps.activity, doing: "Create a record" }, async (action) => {
    const ontology = type.value === OTHER ? id.value.trim() : type.value;
    if (ontology === "") throw new Error("Enter the ontology's id. Nothing was saved.");
    const payload = editor.read();
    if (Object.keys(payload).length === 0) throw new Error("The record is empty. Fill in a field. Nothing was saved.");
    const record = await createRecord(await deps.vaultOf(action), { ontology, payload, acl: [] });
    // Meanwhile another identity may have been chosen, in whose vault the record is not.
    if (whole.isConnected) exits.created(record);
    return `Created the ${titleOfOntology(ontology).toLowerCase()} "${titleOfRecord(payload)}"`;
  });
  whole.append(
    element("h3", { tabindex: "-1" }, "New record"),
    field("Type", type),
    idField,
    place,
    element("p", { class: "muted small" }, UNSHARED),
    element("div", { class: "row" }, create, cancel),
    said,
  );
  return whole;
}
