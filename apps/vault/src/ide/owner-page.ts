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
    main: html`<section class="card"><div><h1>Whose vault shall GraphQL ask?</h1>
<p class="muted">This server keeps the vaults of many owners. Each request names one of them in the header <code>X-ENAME</code>.</p></div>
<form action="/graphiql" method="get">${field({
      name: "ename",
      label: "eName of the owner",
      value: fault?.typed,
      fault: fault?.message,
      isRequired: true,
      hasFocus: true,
      hint: html`<code>@</code> and a UUID; the answer to the provisioning contained it.`,
    })}<div class="row"><button>Open</button></div></form>
<p class="small muted">The contract alone is at <a href="/schema.graphql">schema.graphql</a>.</p></section>`,
  };
}
