import { emptyState } from "@dataspace/ui/empty-state";
import { field } from "@dataspace/ui/field";
import { icon } from "@dataspace/ui/icon";
import { notice } from "@dataspace/ui/state-mark";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import type { Page } from "@dataspace/ui/page";
import { SANDBOX_WORDS } from "./sandbox-words.ts";
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
    title: SANDBOX_WORDS.title,
    part: "sandbox",
    home: "/",
    isWide: true,
    scripts: [entry],
    later: ["ds-copy"],
    main: html`<link rel="stylesheet" href="${style}">
<noscript>${notice("bad", SANDBOX_WORDS.noScript)}</noscript>
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
    main: html`<h1>${SANDBOX_WORDS.broken.title}</h1>
${notice("bad", SANDBOX_WORDS.broken.text)}`,
  };
}

function head(): Html {
  const { heading, lead, offline, identity: words } = SANDBOX_WORDS;
  return html`<header class="wallet-head"><div><h1>${heading}</h1>
<p class="muted">${lead}</p></div>
<div class="field switcher"><label for="identity">${words.title}</label><select id="identity" disabled><option value="">${words.none}</option></select></div>
<div id="offline" hidden>${notice("warn", offline)}</div></header>`;
}

function areas(): Html {
  const words = SANDBOX_WORDS.areas;
  const first = html`<span class="on-phone">${words.identity}</span><span class="on-desktop">${words.wallet}</span>`;
  const links = [
    ["identity", "wallet", first],
    ["requests", "qr-code", words.requests],
    ["vault", "folder", words.vault],
    ["activity", "queue-list", words.log],
  ] as const;
  return html`<nav class="areas" aria-label="${words.label}">${links.map(([id, name, text]) => html`<a href="#${id}">${icon(name)}<span>${text}</span></a>`)}</nav>`;
}

function identity(): Html {
  const words = SANDBOX_WORDS.identity;
  return html`<section class="area" id="identity-area" data-shows="identity" aria-labelledby="identity-title"><div class="card">
<h2 class="anchor" id="identity-title">${words.title}</h2>
<p class="muted" id="no-identity">${words.lead}</p>
<div class="stack" id="unfinished"></div><div class="stack" id="identity-facts"></div>
<div class="row"><button type="button" id="provision">${words.provision}</button>
<button type="button" class="quiet" id="export" disabled>${words.export}</button>
<button type="button" class="quiet" id="import">${words.import}</button><input type="file" id="import-file" accept="application/json,.json" hidden aria-label="${words.file}">
<button type="button" class="danger" id="forget" disabled>${words.forget}</button></div>
<div class="stack tight" id="demo-people"></div></div>${connection()}</section>`;
}

function requests(): Html {
  const words = SANDBOX_WORDS.requests;
  return html`<section class="area" id="requests-area" data-shows="requests" aria-labelledby="requests-title"><div class="card">
<h2 class="anchor" id="requests-title">${words.title}</h2>
${field({
  name: "uri",
  label: words.uri,
  isLong: true,
  hint: html`${words.hintBefore}<code>ds://auth?…</code>${words.hintAfter}`,
})}
<div class="row ways"><button type="button" class="quiet" id="scan">${icon("camera")}${words.scan}</button>
<button type="button" class="quiet" id="read-image">${icon("photo")}${words.read}</button><input type="file" id="image-file" accept="image/*" hidden aria-label="${words.image}"></div>
<div class="stack" id="scanner"></div>
<div class="stack" id="request" aria-live="polite">${emptyState({ illustration: "requests", ...words.empty })}</div>
<div class="row"><button type="button" id="perform" disabled>${words.perform}</button>
<button type="button" class="quiet" id="cancel-request" hidden>${words.cancel}</button></div>
<div class="stack" id="request-result" aria-live="polite"></div></div>
${sign()}</section>`;
}

function sign(): Html {
  const words = SANDBOX_WORDS.sign;
  return html`<div class="card"><h2>${words.title}</h2>
${field({ name: "payload", label: words.payload, isLong: true, hint: words.hint })}
<div class="row"><button type="button" class="quiet" id="sign" disabled>${words.sign}</button></div><div id="signature" aria-live="polite"></div></div>`;
}

function connection(): Html {
  const words = SANDBOX_WORDS.connection;
  return html`<details class="card"><summary>${words.title}</summary><form id="connection">
${field({ name: "registry", label: words.registry, type: "url", isRequired: true })}
${field({ name: "provisioner", label: words.provisioner, type: "url", isRequired: true })}
${field({
  name: "verification",
  label: words.code,
  isRequired: true,
  hint: words.codeHint,
})}
<label class="check"><input type="checkbox" id="elsewhere">${words.elsewhere}</label>
<div class="row"><button class="quiet">${words.save}</button><button type="button" class="quiet" id="defaults">${words.restore}</button></div>
<div id="connection-state" aria-live="polite"></div></form></details>`;
}

function activity(): Html {
  const words = SANDBOX_WORDS.log;
  return html`<section class="area activity" id="activity-area" data-shows="activity" aria-labelledby="log-title"><div class="card">
<div class="row spread"><h2 class="anchor" id="log-title">${words.title}</h2><button type="button" class="quiet small" id="clear-log">${words.clear}</button></div>
<div id="log" role="log" aria-label="${words.label}" tabindex="0">${emptyState({ illustration: "done", ...words.empty })}</div></div></section>`;
}
