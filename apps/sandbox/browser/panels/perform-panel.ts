import { parseWalletUri, type WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { Exchange } from "@dataspace/wallet/exchange";
import { type ActionLog, toText } from "../action-log.ts";
import { element, facts, find, notice } from "../element.ts";
import { visibleText } from "../visible-text.ts";
import type { Wallet } from "../wallet.ts";
import { tellFault, whileBusy } from "./while-busy.ts";

/** Answers a request as the selected identity, and returns the platform's answer. */
export type Answer = (request: WalletRequest) => Promise<string>;

/**
 * Reads a platform's request, shows what would be signed and where it goes, and performs it on request. Source: S3
 * "Sandbox".
 */
export function openPerformPanel(deps: {
  readonly wallet: Wallet;
  readonly log: ActionLog;
  readonly answer: Answer;
}): void {
  const { wallet, log, answer } = deps;
  const uri = find("uri", HTMLTextAreaElement);
  const button = find("perform", HTMLButtonElement);
  const output = find("request", HTMLElement);
  const place = { output, log, act: "Perform" };
  const show = (): void => {
    button.disabled = wallet.identities.selected() === undefined || uri.value.trim() === "";
    output.replaceChildren();
    if (uri.value.trim() === "") return;
    try {
      output.append(preview(parseWalletUri(uri.value)));
    } catch (error) {
      button.disabled = true;
      output.append(notice("bad", error instanceof Error ? error.message : String(error)));
    }
  };
  uri.addEventListener("input", show);
  wallet.identities.onChange(show);
  show();
  whileBusy(button, place, async () => {
    const earlier = log.lastExchange();
    try {
      const said = await answer(parseWalletUri(uri.value));
      output.replaceChildren(notice("ok", said));
    } catch (error) {
      tellFault(place, error);
    }
    const last = log.lastExchange();
    if (last !== undefined && last !== earlier) output.append(lastAction(last));
  });
}

function lastAction({ method, url, status, request, response }: Exchange): HTMLElement {
  const text = (name: string, value: unknown): readonly [string, Node] => [
    name,
    element("pre", { class: "wrapped", tabindex: "0", "aria-label": name }, toText(value)),
  ];
  return element(
    "section",
    { class: "stack", "aria-labelledby": "last-title" },
    element("h3", { id: "last-title" }, "Last action"),
    facts([
      ["Asked", `${method} ${url}`],
      ["Status", status === 0 ? "no answer" : String(status)],
      ...(request === undefined ? [] : [text("Sent", request)]),
      ...(response === undefined ? [] : [text("Came back", response)]),
    ]),
  );
}

function preview(request: WalletRequest): Node {
  if (request.kind === "file") {
    return facts([
      ["A file of", request.ename],
      ["Record", request.metaEnvelopeId],
    ]);
  }
  const text = element(
    "pre",
    { class: "wrapped", tabindex: "0", "aria-label": "What is signed" },
    visibleText(request.text),
  );
  const isMuch = !["session", "text"].includes(request.meaning.kind);
  return element(
    "div",
    { class: "stack" },
    notice(isMuch ? "warn" : "plain", visibleText(request.meaning.sentence)),
    facts([
      ...(request.kind === "auth" ? [["Who asks", visibleText(request.platform ?? "It does not say")] as const] : []),
      ["Goes to", new URL(request.redirect).host],
      ["What is signed", text],
    ]),
  );
}
