import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { icon } from "@dataspace/ui/icon";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import { vaultArea } from "./vault-area.ts";

/** The addresses of the page's script and style. */
export interface SandboxFiles {
  readonly entry: string;
  readonly style: string;
}

/** Whom the page contacts at first. `demoPeople` is the address of a development stack's people with their keys. */
export interface SandboxConnection {
  readonly registryUrl: string;
  readonly provisionerUrl: string;
  readonly demoPeople?: string;
}

/**
 * Renders the sandbox's single page. In: the initial connection, and the page's files. Refuses: never. Source: S3
 * "Sandbox".
 */
export function sandboxPage(
  { registryUrl, provisionerUrl, demoPeople }: SandboxConnection,
  { entry, style }: SandboxFiles,
): Page {
  return {
    title: "Wallet",
    part: "sandbox",
    home: "/",
    isWide: true,
    scripts: [entry],
    later: ["ds-copy"],
    main: html`<link rel="stylesheet" href="${style}">
<noscript>${notice("bad", "The sandbox runs in the browser and needs JavaScript. Enable it, and load the page again.")}</noscript>
<div class="wallet" id="sandbox" data-area="identity" data-registry="${registryUrl}" data-provisioner="${provisionerUrl}"${demoPeople && html` data-demo-people="${demoPeople}"`}>
${head()}
${areas()}
<div class="areas-shown">${identity()}${requests()}${vaultArea()}</div>
${activity()}
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
${notice("bad", "The server could not build the sandbox's program when it started. Its log says why. Correct the cause, and start the server again.")}`,
  };
}

function head(): Html {
  return html`<header class="wallet-head"><div><h1>Wallet sandbox</h1>
<p class="muted">A wallet for testing. This browser stores its keys unprotected: whoever uses the browser can act as your identities.</p></div>
<div class="field switcher"><label for="identity">Identity</label><select id="identity" disabled><option value="">None yet</option></select></div>
<div id="offline" hidden>${notice("warn", "You are offline. The page keeps what you typed. Try again when you are online.")}</div></header>`;
}

function areas(): Html {
  const links = [
    ["identity", "wallet", html`<span class="on-phone">Identity</span><span class="on-desktop">Wallet</span>`],
    ["requests", "qr-code", "Requests"],
    ["vault", "folder", "Vault"],
    ["activity", "queue-list", "Activity"],
  ] as const;
  return html`<nav class="areas" aria-label="Areas">${links.map(([id, name, text]) => html`<a href="#${id}">${icon(name)}<span>${text}</span></a>`)}</nav>`;
}

function identity(): Html {
  return html`<section class="area" id="identity-area" data-shows="identity" aria-labelledby="identity-title"><div class="card">
<h2 class="anchor" id="identity-title">Identity</h2>
<p class="muted" id="no-identity">An identity is a key, an eName and a vault. Provision creates one with a made-up profile in a few seconds.</p>
<div class="stack" id="unfinished"></div><div class="stack" id="identity-facts"></div>
<div class="row"><button type="button" id="provision">Provision</button>
<button type="button" class="quiet" id="export" disabled>Export</button>
<button type="button" class="quiet" id="import">Import</button><input type="file" id="import-file" accept="application/json,.json" hidden aria-label="Identity file">
<button type="button" class="danger" id="forget" disabled>Forget</button></div>
<div class="stack tight" id="demo-people"></div></div>${connection()}</section>`;
}

function requests(): Html {
  return html`<section class="area" id="requests-area" data-shows="requests" aria-labelledby="requests-title"><div class="card">
<h2 class="anchor" id="requests-title">Requests</h2>
${field({
  name: "uri",
  label: "URI",
  isLong: true,
  hint: html`Paste the content of a code, such as <code>ds://auth?…</code>. You can also scan a code, or drop a picture of one here.`,
})}
<div class="row ways"><button type="button" class="quiet" id="scan">${icon("camera")}Scan a code</button>
<button type="button" class="quiet" id="read-image">${icon("photo")}Read an image</button><input type="file" id="image-file" accept="image/*" hidden aria-label="Image of a code"></div>
<div class="stack" id="scanner"></div>
<div class="stack" id="request" aria-live="polite">${emptyState({ illustration: "requests", title: "No request yet", text: "Before you sign, the page shows who asks and what for." })}</div>
<div class="row"><button type="button" id="perform" disabled>Perform</button>
<button type="button" class="quiet" id="cancel-request" hidden>Cancel</button></div>
<div class="stack" id="request-result" aria-live="polite"></div></div>
${sign()}</section>`;
}

function sign(): Html {
  return html`<div class="card"><h2>Sign any text</h2>
${field({ name: "payload", label: "Payload", isLong: true, hint: "The selected identity signs exactly this text, including every space." })}
<div class="row"><button type="button" class="quiet" id="sign" disabled>Sign</button></div><div id="signature" aria-live="polite"></div></div>`;
}

function connection(): Html {
  return html`<details class="card"><summary>Registry and provisioner</summary><form id="connection">
${field({ name: "registry", label: "Registry", type: "url", isRequired: true })}
${field({ name: "provisioner", label: "Provisioner", type: "url", isRequired: true })}
${field({
  name: "verification",
  label: "Verification code",
  isRequired: true,
  hint: "The operator's code for one new vault. A development stack accepts the first value from everybody.",
})}
<label class="check"><input type="checkbox" id="elsewhere">Use a registry or provisioner that is not on this machine</label>
<div class="row"><button class="quiet">Save</button><button type="button" class="quiet" id="defaults">Restore the defaults</button></div>
<div id="connection-state" aria-live="polite"></div></form></details>`;
}

function activity(): Html {
  return html`<section class="area activity" id="activity-area" data-shows="activity" aria-labelledby="log-title"><div class="card">
<div class="row spread"><h2 class="anchor" id="log-title">Activity</h2><button type="button" class="quiet small" id="clear-log">Clear</button></div>
<div id="log" role="log" aria-label="Log" tabindex="0">${emptyState({ illustration: "done", title: "Nothing happened yet", text: "The log lists each action with its requests and their answers." })}</div></div></section>`;
}
