import { html } from "hono/html";
import type { Html } from "./html.ts";

/** One number of an overview: its name, the value, and a line below it. */
export interface Metric {
  readonly name: string;
  readonly value: Html | string | number;
  readonly line?: Html | string;
}

/** Shows the few numbers that matter most, side by side. Refuses: never. */
export function metrics(list: readonly Metric[]): Html {
  return html`<dl class="metrics">${list.map(
    ({ name, value, line }) =>
      html`<div><dt>${name}</dt><dd class="figure">${value}</dd>${line && html`<dd class="muted small">${line}</dd>`}</div>`,
  )}</dl>`;
}
