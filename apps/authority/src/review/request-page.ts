import { notice } from "@dataspace/ui/state-mark";
import { facts } from "@dataspace/ui/table";
import { walletRequest } from "@dataspace/ui/wallet-request";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { readDecision, readRevocation } from "../decisions/decision-input.ts";
import type { StoredReviewRequest } from "../store/review-request-rows.ts";
import { crumbs, type ReviewPage } from "./frame.ts";
import { rawText } from "./shown-text.ts";
import { domainChips } from "./submission-list-page.ts";
import { shownReason } from "./submission-page.ts";

/** A request for a signature as its page shows it. `uri` is for the wallet, `payload` is what it signs. */
export interface ShownRequest {
  readonly request: StoredReviewRequest;
  readonly uri: string;
  readonly payload: string;
  readonly release: { readonly name: Html; readonly version: string };
  readonly sandboxUrl: string | undefined;
  readonly nowMs: number;
}

const WORDS = {
  title: "Sign your decision",
  lead: "Check what you decide, then sign with your wallet. This page continues by itself.",
  decision: "Decision",
  acts: { granted: "Grant a certificate", denied: "Deny the submission", revoke: "Revoke the certificate" },
  platform: "Platform",
  version: "Version",
  level: "Level",
  domains: "Domains",
  days: "Valid for",
  dayUnit: "days",
  reason: "Reason",
  reviewer: "Signed by",
  code: "Code of your decision for your wallet",
  about:
    "Your wallet shows this text. It is the digest of the statement below, is good for 5 minutes, and decides once.",
  statement: "The whole statement",
  expiredTitle: "The time to sign is over",
  expired: "Nothing was decided. A request may be signed for 5 minutes.",
  refusedTitle: "Nothing was decided",
  back: { decide: "To the submission", revoke: "To the certificate" },
} as const;
const WITHOUT_SCRIPT_SECONDS = 4;
const PLACES = { decide: "submissions", revoke: "certificates" } as const;

/** Gives the address of what a request is about. Refuses: never. */
export function subjectPath({ act, subject }: Pick<StoredReviewRequest, "act" | "subject">): string {
  return `/review/${PLACES[act]}/${subject}`;
}

/** Renders the page that asks for the reviewer's signature, or says why it is too late. Refuses: never. Source: decision A6. */
export function requestPage(shown: ShownRequest): ReviewPage {
  const { request, nowMs } = shown;
  const { refusal } = request;
  const isExpired = Date.parse(request.expiresAt) <= nowMs;
  const frame = { title: WORDS.title, place: PLACES[request.act], isNarrow: true } as const;
  const from = `/review/requests/${request.session}`;
  const content =
    refusal !== null
      ? ended(request, { title: WORDS.refusedTitle, text: refusal.message, kind: "bad" })
      : isExpired
        ? ended(request, { title: WORDS.expiredTitle, text: WORDS.expired, kind: "warn" })
        : asking(shown);
  const isOver = refusal !== null || isExpired;
  return {
    ...frame,
    ...(isOver ? {} : { refreshSeconds: WITHOUT_SCRIPT_SECONDS }),
    main: html`${crumbs(PLACES[request.act])}${
      isOver ? content : html`<ds-live id="request" from="${from}" every="2">${content}</ds-live>`
    }`,
  };
}

function asking({ request, uri, payload, sandboxUrl, release }: ShownRequest): Html {
  return html`<section class="card"><div><h1>${WORDS.title}</h1><p class="muted">${WORDS.lead}</p></div>
${facts([...decisionFacts(request, release), [WORDS.reviewer, html`<span class="mono">${request.reviewer}</span>`]])}
${walletRequest({ uri, label: WORDS.code, text: payload, about: WORDS.about, sandboxUrl })}
<details><summary>${WORDS.statement}</summary>${rawText(request.statement)}</details>
<a class="button quiet" href="${subjectPath(request)}">${WORDS.back[request.act]}</a></section>`;
}

function decisionFacts({ act, input }: StoredReviewRequest, { name, version }: ShownRequest["release"]) {
  const release = [
    [WORDS.platform, name],
    [WORDS.version, html`<span class="mono">${version}</span>`],
  ] as const;
  if (act === "revoke")
    return [
      [WORDS.decision, html`<strong>${WORDS.acts.revoke}</strong>`],
      ...release,
      [WORDS.reason, shownReason(readRevocation(input).reason)],
    ] as const;
  const decided = readDecision(input);
  const { decision, reason } = decided;
  return [
    [WORDS.decision, html`<strong>${WORDS.acts[decision]}</strong>`] as const,
    ...release,
    ...(decided.decision === "denied"
      ? []
      : ([
          [WORDS.level, decided.level],
          [WORDS.domains, domainChips(decided.domains)],
          [WORDS.days, `${decided.validDays} ${WORDS.dayUnit}`],
        ] as const)),
    ...(reason === undefined ? [] : [[WORDS.reason, shownReason(reason)] as const]),
  ];
}

function ended(
  request: StoredReviewRequest,
  { title, text, kind }: { readonly title: string; readonly text: string; readonly kind: "bad" | "warn" },
): Html {
  return html`<h1>${title}</h1>${notice(kind, html`<p>${text}</p>`)}
<a class="button" href="${subjectPath(request)}">${WORDS.back[request.act]}</a>`;
}
