import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import type { Visitor } from "./visits.ts";

/** The content of a review page, and its part of the pages. */
export interface ReviewPage {
  readonly title: string;
  readonly place: "submissions" | "certificates" | "log";
  readonly main: Html;
  readonly isNarrow?: boolean;
  readonly refreshSeconds?: number;
}

/** A refusal, as a page shows it. `field` is the input at fault, if there is one. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  readonly field: string | undefined;
}

const WORDS = {
  submissions: "Submissions",
  certificates: "Certificates",
  log: "Log",
  reference: "Reference",
  signOut: "Sign out",
  path: "Path",
  refusedTitle: "Not possible",
  refused: "That was not possible",
  back: "To the submissions",
  next: "Next page",
  first: "First page",
  pages: "Pages",
} as const;
const PLACES = ["submissions", "certificates", "log"] as const;
const HOME = "/review/submissions";

/** Renders a page for a reviewer in its frame, with navigation and the whole eName. Refuses: never. Source: decision L11. */
export function reviewPage(visitor: Visitor, { place, ...page }: ReviewPage): Page {
  return {
    ...page,
    part: "authority",
    home: HOME,
    nav: [
      ...PLACES.map((at) => ({ href: `/review/${at}`, text: WORDS[at], current: at === place })),
      { href: "/docs", text: WORDS.reference, current: false },
    ],
    who: html`<span class="mono">${visitor.ename}</span><form method="post" action="/review/sign-out" class="inline">${tokenField(visitor)}<button class="quiet">${WORDS.signOut}</button></form>`,
  };
}

/** Renders the page of a refusal. Refuses: never. Source: decision V2. */
export function faultPage({ code, message }: Fault): Page {
  return {
    title: WORDS.refusedTitle,
    part: "authority",
    home: HOME,
    isNarrow: true,
    main: html`<h1>${WORDS.refused}</h1>${notice("bad", html`<p>${message}</p><p class="small muted">${code}</p>`)}
<a href="${HOME}">${WORDS.back}</a>`,
  };
}

/** Links back to a list. Refuses: never. */
export function crumbs(place: ReviewPage["place"]): Html {
  return html`<nav class="crumbs" aria-label="${WORDS.path}"><a href="/review/${place}">${WORDS[place]}</a></nav>`;
}

/** The field that ties a form to its visit. Refuses: never. */
export function tokenField({ formToken }: Pick<Visitor, "formToken">): Html {
  return html`<input type="hidden" name="token" value="${formToken}">`;
}

/** Links to the first and to the next page of a list, where there are such. Refuses: never. */
export function pageLinks({
  first,
  next,
}: {
  readonly first: string | undefined;
  readonly next: string | undefined;
}): Html | "" {
  if (first === undefined && next === undefined) return "";
  return html`<nav class="row" aria-label="${WORDS.pages}">${
    first !== undefined && html`<a class="button quiet" href="${first}">${WORDS.first}</a>`
  }${next !== undefined && html`<a class="button quiet" href="${next}">${WORDS.next}</a>`}</nav>`;
}
