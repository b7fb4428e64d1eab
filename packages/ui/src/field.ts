import { html } from "hono/html";
import type { Html } from "./html.ts";
import { icon } from "./icon.ts";

/** A field of a form. `hint` says what to write, `fault` what was wrong with the input. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "url" | "datetime-local" | "number" | "search";
  /** Several lines of text. */
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
  /** Focus starts here: for one field per page. A field with a fault gets the focus in any case. */
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
  readonly hint?: Html | string;
  readonly fault?: string | undefined;
}

/** A field with a fixed list of values. */
export interface Select extends Pick<Field, "name" | "label" | "value" | "hint" | "fault"> {
  readonly options: readonly { readonly value: string; readonly text: string }[];
}

/** Shows a field with its label, hint and fault, linked for assistive technology. Refuses: never. */
export function field(given: Field): Html {
  const { name, fault } = given;
  const shared = html`id="${name}" name="${name}"${descriptionOf(given)}${(fault || given.hasFocus) && html` autofocus`}${
    given.isRequired && html` required`
  }${given.maxLength && html` maxlength="${given.maxLength}"`}`;
  return labelled(
    given,
    given.isLong
      ? html`<textarea ${shared} spellcheck="false">${given.value}</textarea>`
      : html`<input ${shared} type="${given.type ?? "text"}" value="${given.value ?? ""}" autocomplete="off" spellcheck="false">`,
  );
}

/** Shows a field whose value comes from a list, as `field` does. Refuses: never. */
export function select(given: Select): Html {
  const { name, value, options } = given;
  return labelled(
    given,
    html`<select id="${name}" name="${name}"${descriptionOf(given)}>${options.map(
      (option) =>
        html`<option value="${option.value}"${option.value === value && html` selected`}>${option.text}</option>`,
    )}</select>`,
  );
}

/** Shows a checkbox; `on` is the value that it sends. Refuses: never. */
export function checkbox(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="on"${isChecked && html` checked`}>${label}</label>`;
}

type Described = Pick<Field, "name" | "label" | "hint" | "fault">;

function labelled({ name, label, hint, fault }: Described, control: Html): Html {
  return html`<div class="field">
<label for="${name}">${label}</label>
${control}
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${fault && html`<span class="fault" id="${name}-fault">${icon("exclamation-circle")}${fault}</span>`}
</div>`;
}

function descriptionOf({ name, hint, fault }: Described): Html {
  const ids = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  return html`${ids && html` aria-describedby="${ids}"`}${fault && html` aria-invalid="true"`}`;
}
