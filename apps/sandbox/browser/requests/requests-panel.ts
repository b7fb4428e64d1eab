import { element, facts, find, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import { parseWalletUri, type WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { Action, Activity } from "../activity/activity.ts";
import { ACTIVITY_TEXTS } from "../activity/activity-texts.ts";
import type { TimedExchange } from "../activity/timed-exchanges.ts";
import { focusHeading } from "../focus.ts";
import { shownName } from "../identity/shown-name.ts";
import { PAGE_TEXTS } from "../page-texts.ts";
import { faultNotice, onPress } from "../run-act.ts";
import { shorten, toText } from "../shown-text.ts";
import type { Wallet } from "../wallet.ts";
import { answerRequest } from "./answer-request.ts";
import { consentCard } from "./consent-card.ts";
import { REQUESTS_TEXTS } from "./requests-texts.ts";

/**
 * Reads a platform's request, shows what it wants and what would be signed, and performs it on request. Source: S3
 * "Sandbox"; decision I10.
 */
export function openRequestsPanel({
  wallet,
  activity,
}: {
  readonly wallet: Wallet;
  readonly activity: Activity;
}): void {
  const uri = find("uri", HTMLTextAreaElement);
  const perform = find("perform", HTMLButtonElement);
  const cancel = find("cancel-request", HTMLButtonElement);
  const card = find("request", HTMLElement);
  const result = find("request-result", HTMLElement);
  const empty = [...card.childNodes];
  // What the person sees is what is signed, whatever happens to the field meanwhile.
  let asked: WalletRequest | undefined;
  const show = (): void => {
    const text = uri.value.trim();
    asked = undefined;
    cancel.hidden = text === "";
    try {
      asked = text === "" ? undefined : parseWalletUri(uri.value);
      card.replaceChildren(...(asked === undefined ? empty : [consentCard(asked, wallet.identities.selected())]));
    } catch (error) {
      card.replaceChildren(faultNotice(error));
    }
    perform.disabled = asked === undefined || asked.kind === "file" || wallet.identities.selected() === undefined;
  };
  uri.addEventListener("input", () => {
    result.replaceChildren();
    show();
  });
  cancel.addEventListener("click", () => {
    uri.value = "";
    show();
    result.replaceChildren(notice("plain", REQUESTS_TEXTS.cancelled));
    uri.focus();
  });
  wallet.identities.onChange(show);
  show();
  onPress(perform, { output: result, activity, doing: REQUESTS_TEXTS.answer }, async (action) => {
    const [request, identity] = [asked, wallet.identities.selected()];
    if (request === undefined || identity === undefined) throw new Error(PAGE_TEXTS.noIdentity);
    result.replaceChildren();
    try {
      const done = await answerRequest({ action, identity, key: await wallet.keyOf(identity) }, request);
      // A request that was entered meanwhile stays.
      if (asked === request) uri.value = "";
      show();
      result.replaceChildren(
        notice("ok", REQUESTS_TEXTS.result(shownName(identity), done.shown)),
        ...lastAction(action),
      );
      focusHeading(perform);
      return done.sentence;
    } catch (error) {
      // Shown after `onPress` has shown the failure.
      queueMicrotask(() => setTimeout(() => result.append(...lastAction(action))));
      throw error;
    }
  });
  openFromLink(uri);
}

// A link only fills the field: nothing is signed before the person approves.
function openFromLink(uri: HTMLTextAreaElement): void {
  const text = new URLSearchParams(location.search).get("uri");
  if (text === null) return;
  history.replaceState(null, "", `${location.pathname}#requests`);
  uri.value = text;
  uri.dispatchEvent(new Event("input"));
  find("requests-area", HTMLElement).scrollIntoView();
}

function lastAction(action: Action): readonly HTMLElement[] {
  const last = action.lastExchange();
  return last === undefined ? [] : [exchangeFacts(last)];
}

function exchangeFacts({ method, url, status, request, response }: TimedExchange): HTMLElement {
  const text = (name: string, value: unknown): readonly [string, Node] => [
    name,
    element("pre", { class: "wrapped", tabindex: "0", "aria-label": name }, visibleText(toText(value))),
  ];
  const folded = element(
    "details",
    {},
    element("summary", {}, REQUESTS_TEXTS.exchange),
    facts([
      [REQUESTS_TEXTS.asked, visibleText(shorten(`${method} ${url}`, 2_000))],
      [REQUESTS_TEXTS.status, status === 0 ? ACTIVITY_TEXTS.noAnswer : String(status)],
      ...(request === undefined ? [] : [text(ACTIVITY_TEXTS.sent, request)]),
      ...(response === undefined ? [] : [text(ACTIVITY_TEXTS.received, response)]),
    ]),
  );
  return element("section", { "aria-label": REQUESTS_TEXTS.lastAction }, folded);
}
