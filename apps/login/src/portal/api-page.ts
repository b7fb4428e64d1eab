import { copyableBlock } from "@dataspace/ui/copyable";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";
import { CLIENTS_OPERATIONS } from "./clients-open-api.ts";

/** Writes the reference of the management API, for whoever reads it; nobody needs to sign in. Refuses: never. */
export function apiPage(issuer: string): Page {
  return {
    title: "Management API",
    part: "login",
    home: "/portal",
    main: html`<h1>Management API</h1>
<p>A script can create and change clients with this API. The <a href="/api/openapi.json">OpenAPI document</a> describes every member.</p>
<section class="card"><h2>Credential</h2>
<p>Send a wallet token as <code>Authorization: Bearer</code>. Its audience is <code>${issuer}</code>. A token is valid for any number of reads and one change.</p>
${copyableBlock(exampleFor(issuer), "example")}</section>
<section class="card"><h2>Operations</h2><dl class="facts">${CLIENTS_OPERATIONS.map(
      ({ method, path, summary }) => html`<dt><code>${method.toUpperCase()} ${path}</code></dt><dd>${summary}</dd>`,
    )}</dl></section>
<section class="card"><h2>Refusals</h2>
<p>A refusal is <code>{"error": {"code", "message"}}</code>. The codes are <code>UNAUTHENTICATED</code> (401), <code>INVALID_TOKEN</code> (401), <code>INVALID_CLIENT_INPUT</code> (400), <code>UNKNOWN_CLIENT</code> (404), <code>TOKEN_SPENT</code> (401), <code>RATE_LIMITED</code> (429) and <code>REGISTRY_UNAVAILABLE</code> (503).</p></section>`,
  };
}

function exampleFor(issuer: string): string {
  return `import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";

const clock = { nowMs: () => Date.now() };
const token = await issueWalletToken({ key, clock }, { ename, audience: "${issuer}" });
const answer = await fetch("${issuer}/api/clients", {
  method: "POST",
  headers: { authorization: \`Bearer \${token}\`, "content-type": "application/json" },
  body: JSON.stringify({ name: "Notes", redirectUris: ["https://notes.example/callback"] }),
});
const { client, clientSecret } = await answer.json();`;
}
