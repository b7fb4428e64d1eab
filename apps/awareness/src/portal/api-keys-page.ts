import { field } from "@dataspace/ui/field";
import { moment } from "@dataspace/ui/moment";
import { table } from "@dataspace/ui/table";
import { html } from "hono/html";
import type { ApiKey } from "../store/api-key-rows.ts";
import { type Fault, faultOf, formFault } from "./fault-page.ts";
import { confirmedAction, type PortalPage, tokenField } from "./frame.ts";
import type { Visit } from "./visits.ts";

const COLUMNS = [{ title: "For", kind: "long" }, { title: "Begins with" }, { title: "Made" }, { title: "" }] as const;

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
    key.label,
    html`<code>${key.id}</code>`,
    moment(key.createdAt, nowMs),
    confirmedAction(visit, "Whatever uses it is refused from then on.", {
      at: `/portal/api-keys/${key.id}/revoke`,
      text: "Revoke",
    }),
  ]);
  return {
    title: "API keys",
    place: "api-keys",
    main: html`<div><h1>API keys</h1>
<p class="muted">With a key your server calls <a href="/docs">the API</a> as you do here: subscriptions, deliveries, the feed. Only
this page and your wallet make keys.</p></div>
${rows.length > 0 ? table({ caption: "Your keys", columns: COLUMNS, rows }) : ""}
${formFault(fault, ["label"])}
<form class="card" method="post" action="/portal/api-keys">${tokenField(visit.formToken)}
${field({
  name: "label",
  label: "What the new key is for",
  value: label,
  isRequired: true,
  maxLength: 100,
  fault: faultOf(fault, "label"),
})}
<button>Make a key</button></form>`,
  };
}
