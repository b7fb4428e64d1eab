import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** The texts of a reference page around those of its OpenAPI document. */
export const REFERENCE_TEXTS = {
  address: (url: string | undefined, openApiAt: string): Html =>
    html`Its address is <code>${url}</code>. For tools, the same as OpenAPI: <a href="${openApiAt}">openapi.json</a>.`,
  contents: "Contents",
  credentials: "Credentials",
  sendBearer: "Send a credential as `Authorization: Bearer`.",
  sendDpop:
    "Send a platform's session as `Authorization: DPoP` with a proof in the header `DPoP`, and any other credential as `Authorization: Bearer`.",
  invalidCredential: (how: string) => `${how} A credential that does not hold is refused: it never counts as none.`,
  shapes: "Shapes",
  codes: "Codes",
  codesHint: "Compare codes, never messages: a message says what to do, and may change.",
} as const;

/** The texts of one operation of a reference page. */
export const OPERATION_TEXTS = {
  places: { path: "Address", query: "Query", header: "Headers" },
  webhookAddress: "your targetUrl",
  answers: "Answers",
  needs: (names: Html): Html => html`Needs ${names}.`,
  or: " or ",
  body: "Body",
  optionalBody: "Body, optional",
  json: (type: Html): Html => html`JSON: ${type}`,
  tryIt: "Try it",
  request: (summary: string) => `the request: ${summary}`,
  example: "Example",
  otherStatus: "else",
  exampleOf: (status: string) => `Example of ${status}`,
  exampleOfSpoken: (summary: string) => ` of ${summary}`,
} as const;
