import type { Fetch } from "@dataspace/clients/timed-fetch";
import type { ReportExchange } from "@dataspace/wallet/exchange";
import { showAction } from "./action-view.ts";
import { ACTIVITY_TEXTS } from "./activity-texts.ts";
import { type TimedExchange, timeExchanges } from "./timed-exchanges.ts";

/** One action of the visitor: its requests, its steps and its outcome. */
export interface Action {
  /** Sends requests; `report` then shows them below the action. */
  readonly fetch: Fetch;
  readonly report: ReportExchange;
  /** A step of the action; `detail` is shown on request. */
  readonly say: (text: string, detail?: string) => void;
  /** The action succeeded: what it did, as a sentence. */
  readonly end: (sentence: string) => void;
  readonly fail: (message: string) => void;
  readonly lastExchange: () => TimedExchange | undefined;
}

/** The visitor's log of actions, newest first. */
export interface Activity {
  readonly begin: (doing: string) => Action;
}

const MAX_ACTIONS = 100;

/**
 * Makes the log in the page's panel. In: the panel, its button Clear, and what it shows while it is empty.
 *
 * Refuses: never. Source: S3 "Sandbox", log panel.
 */
export function createActivity(panel: HTMLElement, clear: HTMLButtonElement): Activity {
  const empty = [...panel.childNodes];
  clear.addEventListener("click", () => panel.replaceChildren(...empty));
  return {
    begin: (doing) => {
      const view = showAction(doing, new Date());
      for (const node of empty) node.remove();
      panel.prepend(view.element);
      while (panel.childElementCount > MAX_ACTIONS) panel.lastElementChild?.remove();
      let last: TimedExchange | undefined;
      const deps = { fetch: (url: string, init: RequestInit) => fetch(url, init), nowMs: () => performance.now() };
      const timer = timeExchanges(deps, (exchange) => {
        last = exchange;
        view.addExchange(exchange);
      });
      return {
        ...timer,
        say: view.addStep,
        end: (sentence) => view.end("ok", sentence),
        fail: (message) => {
          view.addStep(message);
          view.end("bad", ACTIVITY_TEXTS.failed(doing));
        },
        lastExchange: () => last,
      };
    },
  };
}
