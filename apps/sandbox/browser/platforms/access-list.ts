import { button, element, emptyState } from "@dataspace/ui/dom/element";
import { timeElement } from "@dataspace/ui/dom/time-element";
import { visibleText } from "@dataspace/ui/shapes/visible-text";
import type { OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { shorten } from "../shown-text.ts";
import { admitsDomain, answerOfTerms, type TermsAnswer, withDomain, withoutDomain } from "./owner-terms.ts";
import type { AccessEntry } from "./platform-access.ts";
import { PLATFORMS_TEXTS } from "./platforms-texts.ts";

/**
 * Lists the accesses by platform: under which certificate, to which domain, when; each domain can be refused or allowed
 * again.
 *
 * In: `propose` shows changed terms for the owner to sign. Refuses: never.
 */
export function accessList(
  entries: readonly AccessEntry[],
  terms: OwnerPolicyTerms,
  propose: (terms: OwnerPolicyTerms) => void,
): HTMLElement {
  if (entries.length === 0) return emptyState("done", PLATFORMS_TEXTS.none.title, PLATFORMS_TEXTS.none.text);
  const byPlatform = Map.groupBy(entries, ({ platform }) => platform);
  return element(
    "ul",
    { class: "platforms" },
    ...[...byPlatform].map(([platform, own]) => element("li", {}, ...platformParts(platform, own, { terms, propose }))),
  );
}

// The certificate decides too, and may have ended, so the chip speaks for the owner's policy alone.
const CHIPS: Readonly<Record<TermsAnswer, string>> = {
  admitted: "ok",
  refused: "bad",
  depends: "warn",
};

interface Decision {
  readonly terms: OwnerPolicyTerms;
  readonly propose: (terms: OwnerPolicyTerms) => void;
}

function platformParts(platform: string, entries: readonly AccessEntry[], decision: Decision): readonly HTMLElement[] {
  const certificates = Map.groupBy(entries, ({ certificateId }) => certificateId);
  return [
    element("h3", { class: "mono" }, shown(platform)),
    ...[...certificates.values()].map((own) => certificateLine(own[0] as AccessEntry)),
    element("ul", { class: "accesses" }, ...entries.map((entry) => accessLine(entry, decision))),
  ];
}

function certificateLine({ certificateId, issuer, level, version }: AccessEntry): HTMLElement {
  const facts = { version: shown(version), level: shown(level), id: shown(certificateId), issuer: shown(issuer) };
  return element("p", { class: "muted small" }, PLATFORMS_TEXTS.certificate(facts));
}

function accessLine(entry: AccessEntry, { terms, propose }: Decision): HTMLElement {
  const { domain, action, lastAt } = entry;
  const answer = answerOfTerms(terms, entry);
  const isOpen = admitsDomain(terms, domain);
  const word = action === "write" ? PLATFORMS_TEXTS.wrote : PLATFORMS_TEXTS.read;
  const change = button((isOpen ? PLATFORMS_TEXTS.stop : PLATFORMS_TEXTS.allow)(shown(domain)), "quiet small");
  change.addEventListener("click", () => propose(isOpen ? withoutDomain(terms, domain) : withDomain(terms, domain)));
  return element(
    "li",
    {},
    element("span", {}, `${word} `, element("strong", {}, shown(domain)), " ", timeElement(lastAt)),
    element("span", { class: `chip ${CHIPS[answer]}` }, PLATFORMS_TEXTS.yourPolicy(PLATFORMS_TEXTS.answers[answer])),
    change,
  );
}

function shown(text: string): string {
  return visibleText(shorten(String(text), 120));
}
