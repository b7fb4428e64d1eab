import { avatarElement } from "@dataspace/ui/dom/avatar-element";
import { copyable, element, facts, notice } from "@dataspace/ui/dom/element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { AuthRequest, SignRequest, WalletRequest } from "@dataspace/wallet/parse-wallet-uri";
import type { Identity } from "../identity/identities.ts";
import { shownName } from "../identity/shown-name.ts";
import { CONSENT_TEXTS } from "./consent-texts.ts";
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
      element("p", { class: "muted small" }, CONSENT_TEXTS.asker),
      element("p", { class: "host" }, host),
      ...(callsItself === undefined
        ? []
        : [
            element(
              "p",
              { class: "muted" },
              CONSENT_TEXTS.callsItselfBefore,
              element("bdi", {}, callsItself),
              CONSENT_TEXTS.callsItselfAfter,
            ),
          ]),
    ),
    element("p", { class: "wish" }, wish),
    ...(identity === undefined ? [notice("warn", CONSENT_TEXTS.noIdentity)] : [actor(identity)]),
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
      CONSENT_TEXTS.signer,
      element("strong", {}, shownName(identity)),
      element("span", { class: "mono small ename" }, identity.ename),
    ),
  );
}

function signedPart(request: AuthRequest | SignRequest, host: string): HTMLElement {
  const text = element(
    "pre",
    { class: "wrapped", tabindex: "0", "aria-label": CONSENT_TEXTS.signedText },
    visibleText(request.text),
  );
  // A session says nothing to a person; a text is what the person agrees to.
  const isFolded = request.meaning.kind === "session";
  return element(
    "details",
    { class: "signed", open: !isFolded },
    element("summary", {}, CONSENT_TEXTS.willBeSigned),
    text,
    facts([
      [CONSENT_TEXTS.goesTo, host],
      [CONSENT_TEXTS.address, element("code", {}, visibleText(request.redirect))],
    ]),
  );
}

function fileCard({ ename, metaEnvelopeId }: Extract<WalletRequest, { readonly kind: "file" }>): HTMLElement {
  return element(
    "div",
    { class: "consent" },
    element("p", { class: "wish" }, CONSENT_TEXTS.file),
    facts([
      [CONSENT_TEXTS.fileOwner, copyable(ename, CONSENT_TEXTS.ename)],
      [CONSENT_TEXTS.record, copyable(visibleText(metaEnvelopeId), CONSENT_TEXTS.recordId)],
    ]),
    element("p", { class: "muted" }, CONSENT_TEXTS.fileHint),
  );
}
