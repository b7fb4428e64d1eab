import { icon, illustration } from "./svg-element.ts";

const NOTICE_ICONS = {
  ok: "check-circle",
  warn: "exclamation-triangle",
  bad: "exclamation-circle",
  plain: "information-circle",
} as const;

/** The attributes of an element by name; true for one without a value, false and undefined for none. */
type Attributes = Readonly<Record<string, string | boolean | undefined>>;

/** Makes an element. Texts stay text: nothing becomes markup. Refuses: never. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Attributes = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) {
    if (typeof value === "string") made.setAttribute(attribute, value);
    else if (value === true) made.setAttribute(attribute, "");
  }
  made.append(...children);
  return made;
}

/** Makes a button that submits nothing. In: `kind` is its class, such as `quiet small`. Refuses: never. */
export function button(text: string, kind: string = "quiet"): HTMLButtonElement {
  return element("button", { type: "button", class: kind }, text);
}

/** Shows that a place has no content yet, and why. Refuses: never. */
export function emptyState(drawing: Parameters<typeof illustration>[0], title: string, text: string): HTMLElement {
  const words = [element("p", { class: "title" }, title), element("p", { class: "muted" }, text)];
  return element("div", { class: "nothing" }, illustration(drawing), ...words);
}

/** Shows that a list loads; `text` says so to screen readers. Refuses: never. */
export function skeleton(text: string): HTMLElement {
  const rows = [1, 2, 3].map(() =>
    element("div", { "aria-hidden": "true" }, element("i"), element("span"), element("span")),
  );
  return element("div", { class: "skeleton", role: "status" }, element("span", { class: "spoken" }, text), ...rows);
}

/** Makes a field: a control with its label and a hint. In: the control has an id. Refuses: never. */
export function field(label: string, control: HTMLElement, hint?: string): HTMLElement {
  if (hint !== undefined) control.setAttribute("aria-describedby", `${control.id}-hint`);
  return element(
    "div",
    { class: "field" },
    element("label", { for: control.id }, label),
    control,
    ...(hint === undefined ? [] : [element("span", { class: "hint", id: `${control.id}-hint` }, hint)]),
  );
}

/** Finds an element of the page by its id. Refuses: an Error for a missing element, or one of another type. */
export function find<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`The page has no ${kind.name} called ${id}.`);
}

/** Shows pairs of a name and its value. Refuses: never. */
export function facts(pairs: readonly (readonly [name: string, value: Node | string])[]): HTMLElement {
  return element(
    "dl",
    { class: "facts" },
    ...pairs.flatMap(([name, value]) => [element("dt", {}, name), element("dd", {}, value)]),
  );
}

/** Shows a text to copy exactly, with a copy button. Refuses: never. */
export function copyable(text: string, what: string): HTMLElement {
  const copy = element("button", { type: "button", class: "quiet small", hidden: true }, "Copy");
  copy.append(element("span", { class: "spoken" }, ` ${what}`));
  const whole = document.createElement("ds-copy");
  whole.className = "row";
  whole.append(element("code", {}, text), copy, element("span", { role: "status" }));
  return whole;
}

/** Makes a button that copies a text, which is computed when it is pressed. Refuses: never. */
export function copyButton(textOf: () => string, label: string): HTMLElement {
  const said = element("span", { role: "status", class: "small" });
  const copy = button(label, "quiet small");
  copy.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(textOf());
      said.textContent = "Copied";
    } catch {
      said.textContent = "The browser does not allow copying here.";
    }
  });
  return element("span", { class: "row" }, copy, said);
}

/** Shows a notice. Refuses: never. */
export function notice(kind: "ok" | "warn" | "bad" | "plain", ...content: readonly (Node | string)[]): HTMLElement {
  const role = kind === "bad" ? "alert" : "status";
  return element("div", { class: `notice ${kind}`, role }, icon(NOTICE_ICONS[kind]), element("div", {}, ...content));
}
