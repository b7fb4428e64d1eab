import { button } from "@dataspace/ui/button";
import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { ApiKey } from "../store/api-key-rows.ts";
import { type Fault, formFault, hasFault } from "./fault-page.ts";
import { confirmedAction, type PortalPage, tokenField } from "./frame.ts";
import type { Visit } from "./visits.ts";

const WORDS = {
  title: "API keys",
  lead: "Your server uses a key to call the API: subscriptions, deliveries and the feed.",
  reference: "API reference",
  caption: "Your keys",
  name: "Name",
  begins: "Begins with",
  created: "Created",
  action: "Action",
  label: "Name of the new key",
  labelHint: "Where you use it, such as “Production server”.",
  labelFault: "Enter a name of 1 to 100 characters.",
  create: "Create key",
  revoke: "Revoke",
  revokeTitle: "Revoke this key?",
  revokeText: "Requests with this key are refused at once. This cannot be undone.",
  none: "No API keys yet",
  noneText: "Create a key below. It is shown once.",
} as const;

const COLUMNS = [
  { title: WORDS.name, kind: "long" },
  { title: WORDS.begins },
  { title: WORDS.created },
  { title: WORDS.action },
] as const;

/** The content of the page: the keys, and the form's fault. */
export interface ShownApiKeys {
  readonly apiKeys: readonly ApiKey[];
  readonly nowMs: number;
  readonly label?: string;
  readonly fault?: Fault;
}

/** Renders the page of a consumer's API keys. Refuses: never. Source: decision E9. */
export function apiKeysPage(visit: Visit, { apiKeys, nowMs, label = "", fault }: ShownApiKeys): PortalPage {
  const rows = apiKeys.map((key) => [
    html`<span class="clamp">${key.label}</span>`,
    html`<code>${key.id}</code>`,
    moment(key.createdAt, nowMs),
    confirmedAction(
      visit,
      { id: `revoke-${key.id}`, text: WORDS.revoke, title: WORDS.revokeTitle, consequence: WORDS.revokeText },
      { at: `/portal/api-keys/${key.id}/revoke`, text: WORDS.revoke },
    ),
  ]);
  return {
    title: WORDS.title,
    place: "api-keys",
    main: html`<div><h1>${WORDS.title}</h1>
<p class="muted">${WORDS.lead} <a href="/docs">${WORDS.reference}</a></p></div>
${
  rows.length > 0
    ? table({ caption: WORDS.caption, columns: COLUMNS, rows })
    : html`<section class="card">${emptyState({ illustration: "requests", title: WORDS.none, text: WORDS.noneText })}</section>`
}
${formFault(fault, ["label"])}
<form class="card" method="post" action="/portal/api-keys">${tokenField(visit.formToken)}
${field({
  name: "label",
  label: WORDS.label,
  value: label,
  isRequired: true,
  maxLength: 100,
  hint: WORDS.labelHint,
  fault: hasFault(fault, "label") ? WORDS.labelFault : undefined,
})}
${button({ kind: "primary", text: WORDS.create, icon: "plus" })}</form>`,
  };
}
