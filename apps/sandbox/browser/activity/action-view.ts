import { copyButton, element } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { shorten, toText } from "../shown-text.ts";
import { ACTIVITY_TEXTS } from "./activity-texts.ts";
import type { TimedExchange } from "./timed-exchanges.ts";
import { toCurl } from "./to-curl.ts";

/** The entry of one action in the log. */
export interface ActionView {
  readonly element: HTMLElement;
  readonly addStep: (text: string, detail?: string) => void;
  readonly addExchange: (exchange: TimedExchange) => void;
  readonly end: (outcome: "ok" | "bad", sentence: string) => void;
}

const SIGNS = { running: "…", ok: "✓", bad: "✕" } as const;

/** Shows an action that began. Its steps are open where the window is wide, and folded on a phone. Refuses: never. */
export function showAction(doing: string, at: Date): ActionView {
  const sign = element("span", { class: "sign", "aria-hidden": "true" });
  const word = element("span", { class: "spoken" });
  const sentence = element("span", { class: "sentence" });
  const time = element("time", { datetime: at.toISOString(), title: at.toISOString() }, clockOf(at));
  const steps = element("ol", { class: "deeds" });
  const summary = element("summary", {}, sign, word, sentence, time);
  const isWide = matchMedia("(width >= 64rem)").matches;
  const entry = element("details", { class: "action", open: isWide }, summary, steps);
  const show = (state: keyof typeof SIGNS, text: string): void => {
    entry.dataset["state"] = state;
    sign.textContent = SIGNS[state];
    word.textContent = `${ACTIVITY_TEXTS.states[state]}: `;
    sentence.textContent = visibleText(shorten(text, 400));
  };
  show("running", ACTIVITY_TEXTS.doing(doing));
  return {
    element: entry,
    addStep: (text, detail) => steps.append(element("li", {}, toStep(text, detail))),
    addExchange: (exchange) => steps.append(element("li", {}, toExchange(exchange))),
    end: show,
  };
}

function clockOf(at: Date): string {
  return at.toLocaleTimeString("en-GB");
}

function toStep(text: string, detail: string | undefined): HTMLElement {
  const line = element("span", {}, visibleText(shorten(text, 400)));
  if (!detail) return line;
  return element("details", {}, element("summary", {}, line), block(ACTIVITY_TEXTS.detail, detail));
}

function toExchange(exchange: TimedExchange): HTMLElement {
  const { step, method, url, status, durationMs, request, response } = exchange;
  const isGood = status >= 200 && status < 300;
  const summary = element(
    "summary",
    { title: url },
    element("span", { class: "method" }, method),
    " ",
    element("span", { class: "path" }, visibleText(shorten(pathOf(url), 200))),
    " ",
    element(
      "span",
      { class: `chip ${isGood ? "ok" : "bad"}` },
      status === 0 ? ACTIVITY_TEXTS.noAnswer : String(status),
    ),
    " ",
    element("span", { class: "took" }, ACTIVITY_TEXTS.took(durationMs)),
    element("span", { class: "spoken" }, `, ${step}`),
  );
  const copy = copyButton(() => toCurl(exchange), ACTIVITY_TEXTS.copy);
  const parts = [
    [ACTIVITY_TEXTS.sent, request],
    [ACTIVITY_TEXTS.received, response],
  ] as const;
  return element(
    "details",
    { class: "exchange" },
    summary,
    element("p", { class: "address mono small" }, `${step}: ${method} ${visibleText(shorten(url, 2_000))}`),
    ...parts.flatMap(([title, value]) => (value === undefined ? [] : [block(title, toText(value))])),
    element("div", { class: "row" }, copy),
  );
}

function pathOf(url: string): string {
  const { host, pathname } = new URL(url);
  return `${host}${pathname}`;
}

function block(title: string, text: string): HTMLElement {
  const shown = element("pre", { class: "wrapped", tabindex: "0", "aria-label": title }, visibleText(text));
  return element("div", {}, element("p", { class: "muted small" }, title), shown);
}
