import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** The texts of the reference of the management API. */
export const API_TEXTS = {
  title: "Management API",
  lead: (href: string): Html =>
    html`A script can create and change clients with this API. The <a href="${href}">OpenAPI document</a> describes every member.`,
  credential: {
    title: "Credential",
    text: (issuer: string): Html =>
      html`Send a wallet token as <code>Authorization: Bearer</code>. Its audience is <code>${issuer}</code>. A token is valid for any number of reads and one change.`,
    copy: "example",
  },
  operations: "Operations",
  refusals: {
    title: "Refusals",
    text: (): Html =>
      html`A refusal is <code>{"error": {"code", "message"}}</code>. The codes are <code>UNAUTHENTICATED</code> (401), <code>INVALID_TOKEN</code> (401), <code>INVALID_CLIENT_INPUT</code> (400), <code>UNKNOWN_CLIENT</code> (404), <code>TOKEN_SPENT</code> (401), <code>RATE_LIMITED</code> (429) and <code>REGISTRY_UNAVAILABLE</code> (503).`,
  },
} as const;
