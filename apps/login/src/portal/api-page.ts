import { copyableBlock } from "@dataspace/ui/copyable";
import { html } from "hono/html";
import type { Page } from "@dataspace/ui/page";
import { API_TEXTS } from "./api-texts.ts";
import { CLIENTS_OPERATIONS } from "./clients-open-api.ts";

/** Writes the reference of the management API, for whoever reads it; nobody needs to sign in. Refuses: never. */
export function apiPage(issuer: string): Page {
  return {
    title: API_TEXTS.title,
    part: "login",
    home: "/portal",
    main: html`<h1>${API_TEXTS.title}</h1>
<p>${API_TEXTS.lead("/api/openapi.json")}</p>
<section class="card"><h2>${API_TEXTS.credential.title}</h2>
<p>${API_TEXTS.credential.text(issuer)}</p>
${copyableBlock(exampleFor(issuer), API_TEXTS.credential.copy)}</section>
<section class="card"><h2>${API_TEXTS.operations}</h2><dl class="facts">${CLIENTS_OPERATIONS.map(
      ({ method, path, summary }) => html`<dt><code>${method.toUpperCase()} ${path}</code></dt><dd>${summary}</dd>`,
    )}</dl></section>
<section class="card"><h2>${API_TEXTS.refusals.title}</h2>
<p>${API_TEXTS.refusals.text()}</p></section>`,
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
