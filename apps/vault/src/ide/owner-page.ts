import { field } from "@dataspace/ui/field";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";

/** What a visitor typed that is no owner here, and why it is not. */
export interface OwnerFault {
  readonly typed: string;
  readonly message: string;
}

/**
 * Writes the page that asks whose vault the IDE shall open: a vault serves many owners and every request names one.
 *
 * In: what was wrong with the owner asked for, if one was. Refuses: never. Source: S1 "X-ENAME".
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
      hint: html`<code>@</code> and a UUID; whoever provisioned the vault was told it.`,
    })}<div class="row"><button>Open</button></div></form>
<p class="small muted">The contract alone is at <a href="/schema.graphql">schema.graphql</a>.</p></section>`,
  };
}
