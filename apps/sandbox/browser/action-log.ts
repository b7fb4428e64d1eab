import type { Exchange, ReportExchange } from "@dataspace/wallet/exchange";
import { element } from "./element.ts";
import { visibleText } from "./visible-text.ts";

/** The visitor's log of what happens, newest first. */
export interface ActionLog {
  /** An action began, finished or failed; `detail` is shown on request. */
  readonly say: (kind: "info" | "ok" | "bad", text: string, detail?: string) => void;
  /** Shows a request to another party and its answer. */
  readonly report: ReportExchange;
  /** The latest exchange. */
  readonly lastExchange: () => Exchange | undefined;
}

const MOST_ENTRIES = 300;
const MOST_CHARACTERS = 4_000;

/** Makes the log in the page's panel. Refuses: never. Source: S3 "Sandbox", log panel. */
export function createActionLog(panel: HTMLElement, clear: HTMLButtonElement): ActionLog {
  let isEmpty = true;
  clear.addEventListener("click", () => panel.replaceChildren());
  const say: ActionLog["say"] = (kind, text, detail) => {
    if (isEmpty) panel.replaceChildren();
    isEmpty = false;
    panel.prepend(toEntry(kind, text, detail));
    while (panel.childElementCount > MOST_ENTRIES) panel.lastElementChild?.remove();
  };
  let last: Exchange | undefined;
  const report: ReportExchange = (exchange) => {
    last = exchange;
    const { step, method, url, status } = exchange;
    const isGood = status >= 200 && status < 300;
    say(isGood ? "info" : "bad", `${step}: ${method} ${url}: ${status || "no answer"}`, toDetail(exchange));
  };
  return { say, report, lastExchange: () => last };
}

function toEntry(kind: "info" | "ok" | "bad", text: string, detail: string | undefined): HTMLElement {
  const at = new Date();
  const time = element(
    "time",
    { class: "muted mono small", datetime: at.toISOString() },
    at.toISOString().slice(11, 23),
  );
  const mark = element("span", { class: `state ${kind === "info" ? "" : kind}` }, kind === "bad" ? "failed" : kind);
  const line = [time, " ", mark, " ", visibleText(text)];
  if (!detail) return element("div", { class: "step" }, ...line);
  const shown = element("pre", { class: "wrapped", tabindex: "0" }, visibleText(detail));
  return element("details", { class: "step" }, element("summary", {}, ...line), shown);
}

function toDetail({ request, response }: Exchange): string {
  const parts = [
    ["Sent", request],
    ["Came back", response],
  ] as const;
  return parts.flatMap(([title, value]) => (value === undefined ? [] : [`${title}:\n${toText(value)}`])).join("\n\n");
}

/** Formats what was sent or received for display, with a limited length. Refuses: never. */
export function toText(value: unknown): string {
  const text = typeof value === "string" ? value : JSON.stringify(value, undefined, 2);
  return text.length > MOST_CHARACTERS ? `${text.slice(0, MOST_CHARACTERS)} … (${text.length} characters)` : text;
}
