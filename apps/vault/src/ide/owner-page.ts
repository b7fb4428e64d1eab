import { field } from "@dataspace/ui/field";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";

/** A visitor's input that is not an owner here, and why. */
export interface OwnerFault {
  readonly typed: string;
  readonly message: string;
}

/**
 * Renders the page that asks for an owner: one vault service has many owners, and every request names one.
 *
 * In: what was wrong with the requested owner, if one was given. Refuses: never. Source: S1 "X-ENAME".
 */
export function ownerPage(fault: OwnerFault | undefined): Page {
  return {
    title: "Whose vault?",
    part: "vault",
    home: "/graphiql",
    isNarrow: true,
    main: html`<section class="card"><div><h1>Whose vault do you want to open?</h1>
<p class="muted">This service stores the vaults of many owners. Each request names one of them in the header <code>X-ENAME</code>.</p></div>
<form action="/graphiql" method="get">${field({
      name: "ename",
      label: "eName of the owner",
      value: fault?.typed,
      fault: fault?.message,
      isRequired: true,
      hasFocus: true,
      hint: html`<code>@</code> and a UUID. The provisioner answers with it.`,
    })}<div class="row"><button>Open</button></div></form>
<p class="small muted">Or read the <a href="/schema.graphql">schema</a> and the <a href="/docs">reference</a>, which need no owner.</p></section>`,
  };
}
