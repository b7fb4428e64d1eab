import { html } from "hono/html";
import type { Html } from "./html.ts";

/** One step of something that takes a while. `text` says more, such as why it failed. */
export interface Step {
  readonly title: string;
  readonly state: "done" | "current" | "failed" | "waiting";
  readonly text?: string;
}

const SPOKEN: Readonly<Record<Step["state"], string>> = {
  done: "Done: ",
  current: "In progress: ",
  failed: "Failed: ",
  waiting: "Waiting: ",
};

/** Shows steps in order, each with its state as a mark and a spoken word. Refuses: never. */
export function steps(list: readonly Step[]): Html {
  return html`<ol class="steps">${list.map(
    ({ title, state, text }) =>
      html`<li class="${state}"${state === "current" && html` aria-current="step"`}><strong><span class="spoken">${SPOKEN[state]}</span>${title}</strong>${text && html`<span class="muted small">${text}</span>`}</li>`,
  )}</ol>`;
}
