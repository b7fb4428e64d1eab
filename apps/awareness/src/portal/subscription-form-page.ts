import { field } from "@dataspace/ui/field";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Subscription } from "../store/subscription-rows.ts";
import { type Fault, faultOf, formFault } from "./fault-page.ts";
import { crumbs, type PortalPage, tokenField } from "./frame.ts";
import { linesOf } from "./own-form.ts";
import type { Visit } from "./visits.ts";

/** The values of the form: as stored, or as sent and refused. */
export interface SubscriptionForm {
  readonly targetUrl: string;
  readonly ontologies: string;
  readonly vaults: string;
}

/** An empty form. */
export const EMPTY_FORM: SubscriptionForm = { targetUrl: "", ontologies: "", vaults: "" };

const FIELDS = ["targetUrl", "ontologyFilter", "vaultFilter"];

/** Reads the sent values for the form. Refuses: never. */
export function readForm(form: URLSearchParams): SubscriptionForm {
  const textOf = (name: string) => form.get(name) ?? "";
  return { targetUrl: textOf("targetUrl").trim(), ontologies: textOf("ontologyFilter"), vaults: textOf("vaultFilter") };
}

/** Reads the sent values as a body of the API. Refuses: never. */
export function formToBody(form: URLSearchParams): Readonly<Record<string, unknown>> {
  return {
    targetUrl: readForm(form).targetUrl,
    ontologyFilter: linesOf(form, "ontologyFilter"),
    vaultFilter: linesOf(form, "vaultFilter"),
  };
}

/** Fills the form from a stored subscription. Refuses: never. */
export function toForm({ targetUrl, ontologyFilter, vaultFilter }: Subscription): SubscriptionForm {
  return { targetUrl, ontologies: ontologyFilter.join("\n"), vaults: vaultFilter.join("\n") };
}

/** Renders the page that creates a subscription. Refuses: never. Source: decision E9. */
export function newSubscriptionPage(visit: Visit, form: SubscriptionForm, fault?: Fault): PortalPage {
  return {
    title: "New subscription",
    place: "subscriptions",
    main: html`${crumbs()}
<h1>New subscription</h1>
${fields(visit, { at: "/portal/subscriptions", act: "Ask the endpoint and subscribe" }, { form, fault })}`,
  };
}

/** Renders the page that changes a subscription. Refuses: never. Source: decision E9. */
export function editSubscriptionPage(
  visit: Visit,
  { id, targetUrl }: Subscription,
  given: { readonly form: SubscriptionForm; readonly fault?: Fault | undefined },
): PortalPage {
  const at = `/portal/subscriptions/${id}`;
  return {
    title: "Change a subscription",
    place: "subscriptions",
    main: html`${crumbs({ id, targetUrl })}
<h1>Change this subscription</h1>
<p class="muted">What is queued already goes to the new address too. Filters count for changes from now on.</p>
${fields(visit, { at, act: "Save" }, given)}`,
  };
}

function fields(
  { formToken }: Visit,
  { at, act }: { readonly at: string; readonly act: string },
  { form, fault }: { readonly form: SubscriptionForm; readonly fault?: Fault | undefined },
): Html {
  return html`${formFault(fault, FIELDS)}
<form class="card" method="post" action="${at}">${tokenField(formToken)}
${field({
  name: "targetUrl",
  label: "Address of your endpoint",
  value: form.targetUrl,
  type: "url",
  isRequired: true,
  maxLength: 2048,
  hint: "Public https, on port 443. It is asked first: a signed challenge that it answers with 2xx.",
  fault: faultOf(fault, "targetUrl"),
})}
${field({
  name: "ontologyFilter",
  label: "Ontologies",
  value: form.ontologies,
  isLong: true,
  hint: "One in each line. Empty: all.",
  fault: faultOf(fault, "ontologyFilter"),
})}
${field({
  name: "vaultFilter",
  label: "Vaults",
  value: form.vaults,
  isLong: true,
  hint: "The eNames of their owners, one in each line. Empty: all.",
  fault: faultOf(fault, "vaultFilter"),
})}
<button>${act}</button></form>`;
}
