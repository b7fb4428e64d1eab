import { button } from "@dataspace/ui/button";
import { field } from "@dataspace/ui/field";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { type Fault, formFault, hasFault } from "./fault-page.ts";
import { type PortalPage, tokenField } from "./frame.ts";
import type { SubscriptionForm } from "./subscription-form.ts";
import { crumbs } from "./subscription-frame.ts";
import type { Visit } from "./visits.ts";

const WORDS = {
  title: "New subscription",
  lead: "Send signed, ordered webhooks to your endpoint when records change.",
  subscribe: "Verify and subscribe",
  target: "Endpoint URL",
  targetHint: "A public https address. It must answer a signed challenge with a 2xx status within 5 seconds.",
  ontologies: "Ontologies",
  lines: "One per line. Leave empty for all.",
  vaults: "Vaults",
  vaultsHint: "The eNames of the owners. One per line. Leave empty for all.",
  changed: "This value is not accepted.",
} as const;

const FIELDS = ["targetUrl", "ontologyFilter", "vaultFilter"];

/** What a form was sent with, and the refusal of it. */
export interface GivenForm {
  readonly form: SubscriptionForm;
  readonly fault?: Fault | undefined;
}

/** Renders the page that creates a subscription. Refuses: never. Source: decision E9. */
export function newSubscriptionPage(visit: Visit, given: GivenForm): PortalPage {
  return {
    title: WORDS.title,
    place: "subscriptions",
    main: html`<div class="stack">${crumbs()}<div><h1>${WORDS.title}</h1><p class="muted">${WORDS.lead}</p></div></div>
${subscriptionForm(visit, { at: "/portal/subscriptions", text: WORDS.subscribe }, given)}`,
  };
}

/** Shows the form of a subscription, with each fault at its field. Refuses: never. */
export function subscriptionForm(
  { formToken }: Visit,
  { at, text }: { readonly at: string; readonly text: string },
  { form, fault }: GivenForm,
): Html {
  const { targetUrl, ontologies, vaults, faults } = form;
  const faultAt = (name: keyof SubscriptionForm["faults"]): string | undefined =>
    faults[name] ??
    (hasFault(fault, name) ? (fault?.code === "BAD_REQUEST" ? WORDS.changed : fault?.message) : undefined);
  return html`${formFault(fault, FIELDS)}
<form class="card" method="post" action="${at}">${tokenField(formToken)}
${field({
  name: "targetUrl",
  label: WORDS.target,
  value: targetUrl,
  type: "url",
  isRequired: true,
  maxLength: 2048,
  hint: WORDS.targetHint,
  fault: faultAt("targetUrl"),
})}
${field({
  name: "ontologyFilter",
  label: WORDS.ontologies,
  value: ontologies,
  isLong: true,
  hint: WORDS.lines,
  fault: faultAt("ontologyFilter"),
})}
${field({
  name: "vaultFilter",
  label: WORDS.vaults,
  value: vaults,
  isLong: true,
  hint: WORDS.vaultsHint,
  fault: faultAt("vaultFilter"),
})}
${button({ kind: "primary", text })}</form>`;
}
