import { field } from "@dataspace/ui/field";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";

/**
 * Renders the sandbox's single page. In: the initial connection, and the address of its script. Refuses: never. Source:
 * S3 "Sandbox".
 */
export function sandboxPage(
  { registryUrl, provisionerUrl }: { readonly registryUrl: string; readonly provisionerUrl: string },
  script: string,
): Page {
  return {
    title: "Sandbox",
    part: "sandbox",
    home: "/",
    isWide: true,
    scripts: [script],
    main: html`<div><h1>Wallet sandbox</h1>
<p class="muted">Makes identities with vaults of their own and does what a wallet does with them. All of it happens in this browser.</p></div>
<noscript>${notice("bad", "The sandbox is a program that runs in the browser: it needs JavaScript.")}</noscript>
${notice("warn", html`<p><strong>These keys are for testing.</strong> They lie unprotected in this browser: whoever uses it can act as your identities.</p>`)}
<div class="workbench" id="sandbox" data-registry="${registryUrl}" data-provisioner="${provisionerUrl}">
<div class="stack">${identities()}${perform()}${sign()}${vault()}${connection()}</div>
${log()}
</div>`,
  };
}

/** Renders the page for a sandbox whose program is not available. Refuses: never. */
export function brokenPage(): Page {
  return {
    title: "Sandbox",
    part: "sandbox",
    home: "/",
    isNarrow: true,
    main: html`<h1>The sandbox cannot run</h1>
${notice("bad", "Its program could not be put together when the server started. The server's log says why; mend that, and start it again.")}`,
  };
}

function identities(): Html {
  return html`<section class="card" aria-labelledby="identities-title"><h2 id="identities-title">Identities</h2>
<div class="field"><label for="identity">Identity</label><select id="identity" disabled><option value="">None yet</option></select></div>
<div class="row"><button type="button" id="provision">Provision</button>
<button type="button" class="quiet" id="export" disabled>Export</button>
<button type="button" class="quiet" id="import">Import</button><input type="file" id="import-file" accept="application/json,.json" hidden aria-label="Identity file">
<button type="button" class="danger" id="forget" disabled>Forget</button></div>
<div class="stack" id="unfinished"></div><div class="stack" id="identity-facts"></div></section>`;
}

function perform(): Html {
  return html`<section class="card" aria-labelledby="perform-title"><h2 id="perform-title">Log in and sign for a platform</h2>
${field({
  name: "uri",
  label: "URI",
  isLong: true,
  hint: html`What a code holds: <code>ds://auth?…</code>, <code>ds://sign?…</code>, or the same as an http address.`,
})}
<div class="row"><button type="button" id="perform" disabled>Perform</button>
<button type="button" class="quiet" id="scan">Scan a code</button>
<button type="button" class="quiet" id="read-image">Read an image</button><input type="file" id="image-file" accept="image/*" hidden aria-label="Image of a code"></div>
<div class="stack" id="scanner"></div><div class="stack" id="request" aria-live="polite"></div></section>`;
}

function sign(): Html {
  return html`<section class="card" aria-labelledby="sign-title"><h2 id="sign-title">Sign any text</h2>
${field({ name: "payload", label: "Payload", isLong: true, hint: "Signed as it stands, to the last space, by the selected identity." })}
<div class="row"><button type="button" id="sign" disabled>Sign</button></div><div id="signature" aria-live="polite"></div></section>`;
}

function vault(): Html {
  return html`<section class="card" aria-labelledby="vault-title"><div class="head level"><h2 id="vault-title">Vault</h2>
<button type="button" class="quiet" id="browse" disabled>Load records</button></div>
<div id="records"><p class="muted">The selected identity's records, their history, and the way back to an older version.</p></div></section>`;
}

function connection(): Html {
  return html`<details class="card"><summary>Registry and provisioner</summary><form id="connection">
${field({ name: "registry", label: "Registry", type: "url", isRequired: true })}
${field({ name: "provisioner", label: "Provisioner", type: "url", isRequired: true })}
${field({
  name: "verification",
  label: "Verification code",
  isRequired: true,
  hint: "The operator's, each good for one vault. What stands here at first is the one that development takes from everybody.",
})}
<label class="check"><input type="checkbox" id="elsewhere">I mean a registry that is not on this machine</label>
<div class="row"><button>Use these</button><button type="button" class="quiet" id="defaults">Back to what was set</button></div>
<div id="connection-state" aria-live="polite"></div></form></details>`;
}

function log(): Html {
  return html`<section class="card activity" aria-labelledby="log-title"><div class="head level"><h2 id="log-title">Log</h2>
<button type="button" class="quiet" id="clear-log">Clear</button></div>
<div id="log" role="log" aria-label="Log" tabindex="0"><p class="muted">Each step appears here with what was sent and what came back.</p></div></section>`;
}
