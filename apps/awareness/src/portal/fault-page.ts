import { Refusal } from "@dataspace/service-kit/http/refusal";
import { button, linkButton } from "@dataspace/ui/button";
import { emptyState } from "@dataspace/ui/empty-state";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";

const WORDS = {
  title: "That was not possible",
  down: "This page is not available now",
  downText: "The service or its database does not answer. Nothing is lost: webhooks wait and are sent later.",
  again: "Try again",
  home: "To the overview",
  marked: "Nothing was saved. Check the marked fields.",
  code: "Code",
} as const;

/** What is missing where an address names something that the visitor does not have, by a part of the route. */
const MISSING = [
  ["/events/", "Event not found", "It was deleted after 30 days, or you may no longer read its record."],
  ["/subscriptions/", "Subscription not found", "It was removed, or it belongs to another account."],
  ["/api-keys/", "API key not found", "It was revoked, or it belongs to another account."],
] as const;

/** The refusals that say that the service cannot work now. */
const DOWN: ReadonlySet<string> = new Set(["STORAGE_UNAVAILABLE", "STORAGE_FULL", "TIMEOUT", "INTERNAL_ERROR"]);

/** A refusal, as a page shows it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** The input member at fault, if there is one. */
  readonly field: string | undefined;
}

/** A refused request: what was refused, and what it takes to send it again. */
export interface RefusedRequest {
  readonly fault: Fault;
  readonly status: number;
  /** The route, and the address that was requested. */
  readonly route: string;
  readonly address: string;
  /** The sent fields of a form that this site sent; undefined for a page. */
  readonly sent: URLSearchParams | undefined;
}

/** Renders the page of a refusal; after a fault of the service it offers the same request again. Refuses: never. Source: decision V2. */
export function faultPage(refused: RefusedRequest): Page {
  const { fault, status, route } = refused;
  const missing = status === 404 ? MISSING.find(([part]) => route.includes(part)) : undefined;
  const title = missing?.[1] ?? (status >= 500 ? WORDS.down : WORDS.title);
  const text = missing?.[2] ?? (DOWN.has(fault.code) ? WORDS.downText : fault.message);
  const home = linkButton("/portal", { kind: status >= 500 ? "quiet" : "primary", text: WORDS.home });
  return {
    title,
    part: "awareness",
    home: "/portal",
    isNarrow: true,
    main: html`<section class="card"><h1 class="spoken">${title}</h1>${emptyState({
      illustration: status >= 500 ? "offline" : "search",
      title,
      text,
      action: html`<div class="row">${status >= 500 && retry(refused)}${home}</div>`,
    })}
<p class="muted small">${WORDS.code} <code>${fault.code}</code></p></section>`,
  };
}

function retry({ address, sent }: RefusedRequest): Html {
  if (sent === undefined) return linkButton(address, { kind: "primary", text: WORDS.again, icon: "arrow-path" });
  return html`<form method="post" action="${address}" class="inline">${[...sent].map(
    ([name, value]) => html`<textarea hidden name="${name}">
${value}</textarea>`,
  )}${button({ kind: "primary", text: WORDS.again, icon: "arrow-path" })}</form>`;
}

/** Shows a form's refusal above it, or a hint that a field shows it. Refuses: never. */
export function formFault(fault: Fault | undefined, fields: readonly string[]): Html | "" {
  if (fault === undefined) return "";
  const isAtField = fault.field !== undefined && fields.includes(fault.field);
  return notice("bad", html`<p>${isAtField ? WORDS.marked : fault.message}</p>`);
}

/** Whether a refusal is about one field of a form. Refuses: never. */
export function hasFault(fault: Fault | undefined, field: string): boolean {
  return fault?.field === field;
}

/** Converts a refusal of the input for a form; any other error is thrown on. */
export function toFault(error: unknown): Fault {
  if (!(error instanceof Refusal) || error.status >= 500) throw error;
  const { code, message, field } = error;
  return { code, message, field };
}
