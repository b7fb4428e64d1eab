import { avatarElement } from "@dataspace/ui/dom/avatar-element";
import { copyable, element, facts, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { AuthRequest, SignRequest, WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { Identity } from "../identity/identities.ts";
import { shownName } from "../identity/shown-name.ts";
import { consentWords } from "./consent-words.ts";

/** Shows what a request wants, before anything is signed. In: the identity that would act, if any. Refuses: never. */
export function consentCard(request: WalletRequest, identity: Identity | undefined): HTMLElement {
  if (request.kind === "file") return fileCard(request);
  const words = consentWords(request, identity && shownName(identity));
  const { host, callsItself, wish, isGrave } = words;
  return element(
    "div",
    { class: "consent" },
    element(
      "div",
      { class: "asker" },
      element("p", { class: "muted small" }, "Who asks"),
      element("p", { class: "host" }, host),
      ...(callsItself === undefined
        ? []
        : [element("p", { class: "muted" }, "calls itself “", element("bdi", {}, callsItself), "”")]),
    ),
    element("p", { class: "wish" }, wish),
    ...(identity === undefined
      ? [notice("warn", "Provision an identity first. The request stays here.")]
      : [actor(identity)]),
    element("p", { class: isGrave ? "notice warn" : "muted" }, visibleText(request.meaning.sentence)),
    signedPart(request, host),
  );
}

function actor(identity: Identity): HTMLElement {
  return element(
    "p",
    { class: "person" },
    avatarElement(identity.ename),
    element(
      "span",
      {},
      "You sign as ",
      element("strong", {}, shownName(identity)),
      element("span", { class: "mono small ename" }, identity.ename),
    ),
  );
}

function signedPart(request: AuthRequest | SignRequest, host: string): HTMLElement {
  const text = element(
    "pre",
    { class: "wrapped", tabindex: "0", "aria-label": "What is signed" },
    visibleText(request.text),
  );
  // A session says nothing to a person; a text is what the person agrees to.
  const isFolded = request.meaning.kind === "session";
  return element(
    "details",
    { class: "signed", open: !isFolded },
    element("summary", {}, "What will be signed"),
    text,
    facts([
      ["Goes to", host],
      ["Address", element("code", {}, visibleText(request.redirect))],
    ]),
  );
}

function fileCard({ ename, metaEnvelopeId }: Extract<WalletRequest, { readonly kind: "file" }>): HTMLElement {
  return element(
    "div",
    { class: "consent" },
    element("p", { class: "wish" }, "This is the address of a file. There is nothing to sign."),
    facts([
      ["A file of", copyable(ename, "the eName")],
      ["Record", copyable(visibleText(metaEnvelopeId), "the record's id")],
    ]),
    element("p", { class: "muted" }, "Its owner finds it in the vault, under Stored file."),
  );
}
