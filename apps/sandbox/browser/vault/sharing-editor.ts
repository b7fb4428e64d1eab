import { type EName, parseEName } from "@dataspace/protocol/ename";
import { button, element, field, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { AccessPolicy } from "@dataspace/protocol/access-policy";
import { PAGE_TEXTS } from "../page-texts.ts";
import { faultNotice, onPress } from "../run-act.ts";
import type { OpenedRecord } from "./opened-record.ts";
import { ownersPolicy, type Rights, withOthers, withRights } from "./policy-draft.ts";
import { SHARING_TEXTS } from "./policy-texts.ts";
import { draftWords, lockoutWarning, PERMISSION_WORDS, policyWords, readPolicy } from "./policy-words.ts";
import { changeRecord } from "./records.ts";

/**
 * Shows who may do what with a record, and lets the owner change it: people, their rights, and everybody else.
 *
 * Source: S1 "Access policy"; decision V22.
 */
export function sharingEditor(opened: OpenedRecord): HTMLElement {
  const { record, owner } = opened;
  const words = element("ul", { class: "words" }, ...toItems(policyWords(record._acl, owner)));
  const change = button(SHARING_TEXTS.change);
  const place = element("div", { class: "stack" }, words, element("div", { class: "row" }, change));
  change.addEventListener("click", () => {
    const form = openForm(opened, () => {
      const next = sharingEditor(opened);
      place.replaceWith(next);
      next.querySelector("button")?.focus();
    });
    place.replaceChildren(form);
    form.querySelector("input")?.focus();
  });
  return place;
}

function toItems(sentences: readonly string[]): readonly HTMLElement[] {
  return sentences.map((sentence) => element("li", {}, visibleText(sentence)));
}

function openForm(opened: OpenedRecord, close: () => void): HTMLElement {
  const { record, owner, activity, vaultOf } = opened;
  let draft = readPolicy(record._acl) ?? ownersPolicy(owner);
  const people = element("div", { class: "stack" });
  const preview = element("div", { class: "stack", "aria-live": "polite" });
  const said = element("div", { "aria-live": "polite" });
  const change = (next: AccessPolicy): void => {
    draft = next;
    const warning = lockoutWarning(draft, owner);
    preview.replaceChildren(
      element("p", { class: "muted small" }, SHARING_TEXTS.preview),
      element("ul", { class: "words" }, ...toItems(draftWords(draft, owner))),
      ...(warning === undefined ? [] : [notice("warn", element("p", {}, warning))]),
    );
  };
  const show = (): void => {
    const named = [...draft.grants.map(({ ename }) => ename), ...draft.denials.enames];
    const all = [...new Set([owner, ...named])];
    people.replaceChildren(
      ...all.map((ename) => personRow({ ename, owner, draft }, (rights) => change(withRights(draft, ename, rights)))),
    );
    change(draft);
  };
  show();
  const save = button(SHARING_TEXTS.save, "");
  const cancel = button(PAGE_TEXTS.cancel);
  cancel.addEventListener("click", close);
  onPress(save, { output: said, activity, doing: SHARING_TEXTS.change }, async (action) => {
    const { id, ontology } = record;
    opened.update(await changeRecord(await vaultOf(action), { id, ontology, payload: {}, _acl: draft }));
    close();
    return SHARING_TEXTS.changed(opened.title());
  });
  return element(
    "div",
    { class: "stack sharing" },
    people,
    addPerson((ename) => {
      change(withRights(draft, ename, 1));
      show();
    }),
    othersRow(draft, (perms) => change(withOthers(draft, perms))),
    preview,
    element("div", { class: "row" }, save, cancel),
    said,
  );
}

function personRow(
  { ename, owner, draft }: { readonly ename: EName; readonly owner: EName; readonly draft: AccessPolicy },
  change: (rights: Rights) => void,
): HTMLElement {
  const isDenied = draft.denials.enames.includes(ename);
  const perms = draft.grants.find((grant) => grant.ename === ename)?.perms ?? 0;
  const boxes = PERMISSION_WORDS.map(([bit, word]) => checkbox(word, !isDenied && (perms & bit) !== 0, bit));
  const deny = checkbox(SHARING_TEXTS.denyAll, isDenied, 0);
  const legend = element("legend", {}, ename === owner ? SHARING_TEXTS.you(ename) : ename);
  const rights = (): Rights =>
    inputOf(deny).checked
      ? "denied"
      : boxes.map(inputOf).reduce((sum, box) => sum + (box.checked ? Number(box.value) : 0), 0);
  const row = element("fieldset", { class: "person-rights" }, legend, ...boxes, deny);
  row.addEventListener("change", () => change(rights()));
  return row;
}

function checkbox(label: string, isChecked: boolean, value: number): HTMLElement {
  const box = element("input", { type: "checkbox", value: String(value) });
  box.checked = isChecked;
  return element("label", { class: "check" }, box, label);
}

function inputOf(label: HTMLElement): HTMLInputElement {
  return label.querySelector("input") as HTMLInputElement;
}

function addPerson(add: (ename: EName) => void): HTMLElement {
  const input = element("input", { id: "share-with", autocomplete: "off", spellcheck: "false" });
  const said = element("div", { "aria-live": "polite" });
  const pressed = button(SHARING_TEXTS.add);
  pressed.addEventListener("click", () => {
    try {
      add(parseEName(input.value));
      input.value = "";
      said.replaceChildren();
    } catch (error) {
      said.replaceChildren(faultNotice(error));
    }
  });
  return element(
    "div",
    { class: "stack" },
    field(SHARING_TEXTS.shareWith, input, SHARING_TEXTS.shareHint),
    element("div", { class: "row" }, pressed),
    said,
  );
}

function othersRow(draft: AccessPolicy, change: (perms: number) => void): HTMLElement {
  const boxes = PERMISSION_WORDS.map(([bit, word]) =>
    checkbox(word, (draft.default_perms & bit) !== 0 && draft.require.length > 0, bit),
  );
  const hasConditions = draft.require.some((group) => group.length > 0);
  const who = hasConditions ? SHARING_TEXTS.everybodyWithConditions : SHARING_TEXTS.everybody;
  const row = element("fieldset", { class: "person-rights" }, element("legend", {}, who), ...boxes);
  row.addEventListener("change", () =>
    change(boxes.map(inputOf).reduce((sum, box) => sum + (box.checked ? Number(box.value) : 0), 0)),
  );
  return row;
}
