import { Refusal } from "@dataspace/service-kit/http/refusal";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";

/** A refusal, as a page shows it. */
export interface Fault {
  readonly code: string;
  readonly message: string;
  /** The input member at fault, if there is one. */
  readonly field: string | undefined;
}

/** Renders the page of a refusal. Refuses: never. Source: decision V2. */
export function faultPage({ code, message }: Fault): Page {
  return {
    title: "Not possible",
    part: "awareness",
    home: "/portal/subscriptions",
    isNarrow: true,
    main: html`<h1>That was not possible</h1>${notice("bad", html`<p>${message}</p><p class="small muted">${code}</p>`)}
<a href="/portal/subscriptions">To your subscriptions</a>`,
  };
}

/** Shows a form's refusal above it, or a hint that a field shows it. Refuses: never. */
export function formFault(fault: Fault | undefined, fields: readonly string[]): Html | "" {
  if (fault === undefined) return "";
  const isAtField = fault.field !== undefined && fields.includes(fault.field);
  return notice("bad", html`<p>${isAtField ? "Nothing was saved: see what is marked below." : fault.message}</p>`);
}

/** Returns the fault of one field of a form. Refuses: never. */
export function faultOf(fault: Fault | undefined, field: string): string | undefined {
  return fault?.field === field ? fault.message : undefined;
}

/** Converts a refusal of the input for a form; any other error is thrown on. */
export function toFault(error: unknown): Fault {
  if (!(error instanceof Refusal) || error.status >= 500) throw error;
  const { code, message, field } = error;
  return { code, message, field };
}
