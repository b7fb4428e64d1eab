import { html } from "hono/html";
import type { Html } from "./html.ts";

/** One of several values that exclude each other. */
export interface Choice {
  readonly value: string;
  readonly text: string;
}

/** A set of choices; `value` is the chosen one. */
export interface Choices {
  readonly name: string;
  readonly legend: string;
  readonly value: string;
  readonly options: readonly Choice[];
}

/** Shows choices of which one is taken, as radio buttons that look like one control. Refuses: never. */
export function choices({ name, legend, value, options }: Choices): Html {
  return html`<fieldset class="choices"><legend>${legend}</legend><div class="row">${options.map(
    (option) =>
      html`<label class="choice"><input type="radio" name="${name}" value="${option.value}"${option.value === value && html` checked`}>${option.text}</label>`,
  )}</div></fieldset>`;
}
