import { button, element, field, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { Action } from "../activity/activity.ts";
import { faultNotice, onPress } from "../run-act.ts";
import { compareContent } from "./content-change.ts";
import { type FormField, formOf } from "./known-ontologies.ts";
import type { OpenedRecord } from "./opened-record.ts";
import type { Payload } from "./record.ts";
import { readContent } from "./record-content.ts";
import { RECORD_TEXTS } from "./record-texts.ts";
import { changeRecord } from "./records.ts";

/** The control in which a content is edited: a form of known fields, or JSON. */
export interface ContentEditor {
  readonly element: HTMLElement;
  /** Refuses: an Error that says where the JSON is wrong. */
  readonly read: () => Payload;
}

/** The editor of one record. */
export interface RecordEditor {
  readonly element: HTMLElement;
  /** Shows the record's current content, in the same form. */
  readonly reload: () => void;
}

/** Makes an editor for a content: the ontology's form, or JSON where it has none or `asJson` is set. Refuses: never. */
export function contentEditor(ontology: string, parsed: Payload, asJson: boolean): ContentEditor {
  const form = formOf(ontology);
  return form === undefined || asJson ? jsonEditor(parsed) : formEditor(form, parsed);
}

/**
 * Lets the owner edit a record's content. Only changed fields are sent; a field that was removed stays, and the page
 * says so before it saves.
 *
 * Source: S1 "updateMetaEnvelope".
 */
export function recordEditor(opened: OpenedRecord): RecordEditor {
  const hasForm = formOf(opened.record.ontology) !== undefined;
  const said = element("div", { "aria-live": "polite" });
  const save = button(RECORD_TEXTS.save, "");
  const swap = button(RECORD_TEXTS.asJson);
  let asJson = !hasForm;
  let editor = contentEditor(opened.record.ontology, opened.record.parsed, asJson);
  const show = (parsed: Payload): void => {
    const next = contentEditor(opened.record.ontology, parsed, asJson);
    editor.element.replaceWith(next.element);
    editor = next;
    swap.textContent = asJson ? RECORD_TEXTS.asForm : RECORD_TEXTS.asJson;
  };
  // The other form starts from what is typed here.
  swap.addEventListener("click", () => {
    try {
      const edited = editor.read();
      asJson = !asJson;
      show(edited);
      said.replaceChildren();
    } catch (error) {
      said.replaceChildren(faultNotice(error));
    }
  });
  const write = async (action: Action, payload: Payload): Promise<string> => {
    const { id, ontology } = opened.record;
    opened.update(await changeRecord(await opened.vaultOf(action), { id, ontology, payload }));
    show(opened.record.parsed);
    const isInNotice = said.contains(document.activeElement);
    said.replaceChildren(notice("ok", RECORD_TEXTS.saved));
    if (isInNotice) save.focus();
    return RECORD_TEXTS.savedTitle(opened.title());
  };
  onPress(save, { output: said, activity: opened.activity, doing: RECORD_TEXTS.save }, async (action) => {
    const { changed, left } = compareContent(opened.record.parsed, editor.read());
    if (left.length > 0) {
      said.replaceChildren(mergeNotice(opened, { changed, left, write }));
      return RECORD_TEXTS.askedAboutRemoved;
    }
    if (Object.keys(changed).length > 0) return write(action, changed);
    said.replaceChildren(notice("plain", RECORD_TEXTS.unchanged));
    return RECORD_TEXTS.nothingToSave;
  });
  const actions = element("div", { class: "row" }, save, ...(hasForm ? [swap] : []));
  return {
    element: element("div", { class: "stack" }, editor.element, actions, said),
    reload: () => {
      show(opened.record.parsed);
      said.replaceChildren();
    },
  };
}

interface Merge {
  readonly changed: Payload;
  readonly left: readonly string[];
  readonly write: (action: Action, payload: Payload) => Promise<string>;
}

function mergeNotice({ activity }: OpenedRecord, { changed, left, write }: Merge): HTMLElement {
  const names = left.slice(0, 10).map((name) => visibleText(name.slice(0, 60)));
  const empty = button(RECORD_TEXTS.setToNull, "");
  const keep = button(RECORD_TEXTS.keepFields);
  const output = element("div", {});
  const place = { output, activity, doing: RECORD_TEXTS.save };
  onPress(empty, place, (action) =>
    write(action, { ...changed, ...Object.fromEntries(left.map((name) => [name, null])) }),
  );
  onPress(keep, place, (action) => write(action, changed));
  return notice(
    "warn",
    element("p", {}, RECORD_TEXTS.merges(names.join(", "))),
    element("div", { class: "row" }, empty, ...(Object.keys(changed).length > 0 ? [keep] : [])),
    output,
  );
}

function jsonEditor(parsed: Payload): ContentEditor {
  const text = element("textarea", { id: "record-content", rows: "10", spellcheck: "false" });
  text.value = JSON.stringify(parsed, undefined, 2);
  return { element: field(RECORD_TEXTS.content, text, RECORD_TEXTS.jsonHint), read: () => readContent(text.value) };
}

function formEditor(form: readonly FormField[], parsed: Payload): ContentEditor {
  const controls = form.map(({ name: usual, otherName = usual, label, isLong }) => {
    const name = !Object.hasOwn(parsed, usual) && Object.hasOwn(parsed, otherName) ? otherName : usual;
    const value = Object.hasOwn(parsed, name) ? parsed[name] : undefined;
    const isText = value === undefined || value === null || typeof value === "string";
    const id = `field-${name}`;
    const control = isLong
      ? element("textarea", { id, class: "prose", rows: "3", disabled: !isText })
      : element("input", { id, autocomplete: "off", disabled: !isText });
    control.value = typeof value === "string" ? value : "";
    return { name, label, control, isText, before: value };
  });
  const fields = controls.map(({ label, control, isText }) =>
    field(label, control, isText ? undefined : RECORD_TEXTS.notText),
  );
  return {
    element: element("div", { class: "stack" }, ...fields),
    // What the form does not show stays as it is; an empty field that was absent or null stays so.
    read: () => {
      const written = controls.filter(
        ({ control, isText, before }) => isText && (control.value !== "" || (before ?? "") !== ""),
      );
      return { ...parsed, ...Object.fromEntries(written.map(({ name, control }) => [name, control.value])) };
    },
  };
}
