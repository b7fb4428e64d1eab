import { element } from "./element.ts";

/** What happens, as the visitor sees it: newest first. */
export interface ActionLog {
  /** Something was begun, done or went wrong; `detail` is shown when asked for. */
  readonly say: (kind: "info" | "ok" | "bad", text: string, detail?: string) => void;
  /** As `fetch`, with each request and its answer in the log. */
  readonly fetch: typeof globalThis.fetch;
}

const MOST_ENTRIES = 300;
const MOST_CHARACTERS = 4_000;
const KEPT_OF_SECRET = 8;

/** Makes the log over the page's panel. Refuses: never. Source: S3 "Sandbox", log panel. */
export function createActionLog(panel: HTMLElement, clear: HTMLButtonElement): ActionLog {
  let isEmpty = true;
  clear.addEventListener("click", () => panel.replaceChildren());
  const say: ActionLog["say"] = (kind, text, detail) => {
    if (isEmpty) panel.replaceChildren();
    isEmpty = false;
    panel.prepend(toEntry(kind, text, detail));
    while (panel.childElementCount > MOST_ENTRIES) panel.lastElementChild?.remove();
  };
  return { say, fetch: createLoggedFetch(say) };
}

function toEntry(kind: "info" | "ok" | "bad", text: string, detail: string | undefined): HTMLElement {
  const at = new Date();
  const time = element(
    "time",
    { class: "muted mono small", datetime: at.toISOString() },
    at.toISOString().slice(11, 23),
  );
  const mark = element("span", { class: `state ${kind === "info" ? "" : kind}` }, kind === "bad" ? "failed" : kind);
  const line = [time, " ", mark, " ", text];
  if (detail === undefined) return element("div", { class: "step" }, ...line);
  const shown = element("pre", { class: "wrapped", tabindex: "0" }, detail);
  return element("details", { class: "step" }, element("summary", {}, ...line), shown);
}

function createLoggedFetch(say: ActionLog["say"]): typeof globalThis.fetch {
  return async (input, init) => {
    const request = new Request(input, init);
    const asked = `${request.method} ${request.url}`;
    const sent = await request.clone().text();
    try {
      const response = await fetch(request);
      const answer = await response.clone().text();
      const detail = [asked, ...headerLines(request), "", shorten(sent), "", `${response.status}`, shorten(answer)];
      say(response.ok ? "info" : "bad", `${asked}: ${response.status}`, detail.join("\n").trim());
      return response;
    } catch (error) {
      say("bad", `${asked}: no answer`, [asked, "", shorten(sent), "", String(error)].join("\n"));
      throw error;
    }
  };
}

function headerLines({ headers }: Request): readonly string[] {
  const shown = [...headers].filter(([name]) => name === "x-ename" || name === "authorization");
  return shown.map(([name, value]) => `${name}: ${name === "authorization" ? hide(value) : value}`);
}

// Signatures and tokens are shown by their ends, enough to be told apart.
function shorten(text: string): string {
  const hidden = text.replace(/("(?:signature|token)":\s*")([^"]+)"/g, (_all, name, value) => `${name}${hide(value)}"`);
  return hidden.length > MOST_CHARACTERS
    ? `${hidden.slice(0, MOST_CHARACTERS)} … (${hidden.length} characters)`
    : hidden;
}

function hide(secret: string): string {
  return `…${secret.slice(-KEPT_OF_SECRET)}`;
}
