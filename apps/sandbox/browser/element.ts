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
  const button = element("button", { type: "button", class: "quiet small", hidden: true }, "Copy");
  button.append(element("span", { class: "spoken" }, ` ${what}`));
  const copy = document.createElement("ds-copy");
  copy.className = "row";
  copy.append(element("code", {}, text), button, element("span", { role: "status" }));
  return copy;
}

/** Shows a notice. Refuses: never. */
export function notice(kind: "ok" | "warn" | "bad" | "plain", ...content: readonly (Node | string)[]): HTMLElement {
  const role = kind === "bad" ? "alert" : "status";
  return element("div", { class: `notice ${kind}`, role }, ...content);
}
