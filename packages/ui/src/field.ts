import { html } from "hono/html";
import type { Html } from "./html.ts";

/** A field of a form. `hint` says what to write, `fault` what was wrong with the input. */
export interface Field {
  readonly name: string;
  readonly label: string;
  readonly value?: string | undefined;
  readonly type?: "text" | "url" | "datetime-local" | "number";
  /** Several lines of text. */
  readonly isLong?: boolean;
  readonly isRequired?: boolean;
  /** Focus starts here: for one field per page. A field with a fault gets the focus in any case. */
  readonly hasFocus?: boolean;
  readonly maxLength?: number;
  readonly hint?: Html | string;
  readonly fault?: string | undefined;
}

/** Shows a field with its label, hint and fault, linked for assistive technology. Refuses: never. */
export function field({ name, label, hint, fault, ...given }: Field): Html {
  const describedBy = [hint && `${name}-hint`, fault && `${name}-fault`].filter(Boolean).join(" ");
  const shared = html`id="${name}" name="${name}"${describedBy && html` aria-describedby="${describedBy}"`}${
    fault && html` aria-invalid="true"`
  }${(fault || given.hasFocus) && html` autofocus`}${given.isRequired && html` required`}${given.maxLength && html` maxlength="${given.maxLength}"`}`;
  return html`<div class="field">
<label for="${name}">${label}</label>
${
  given.isLong
    ? html`<textarea ${shared} spellcheck="false">${given.value}</textarea>`
    : html`<input ${shared} type="${given.type ?? "text"}" value="${given.value ?? ""}" autocomplete="off" spellcheck="false">`
}
${hint && html`<span class="hint" id="${name}-hint">${hint}</span>`}
${fault && html`<span class="fault" id="${name}-fault">${fault}</span>`}
</div>`;
}

/** Shows a checkbox; `on` is the value that it sends. Refuses: never. */
export function checkbox(name: string, label: string, isChecked: boolean): Html {
  return html`<label class="check"><input type="checkbox" name="${name}" value="on"${isChecked && html` checked`}>${label}</label>`;
}
