import { emptyState } from "@dataspace/ui/empty-state";
import { icon } from "@dataspace/ui/icon";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { SANDBOX_WORDS } from "./sandbox-words.ts";

/** Renders the area for the vault and for the platforms that reach it. Refuses: never. Source: S3 "Sandbox"; decision A2. */
export function vaultArea(): Html {
  const words = SANDBOX_WORDS.vault;
  return html`<section class="area" id="vault-area" data-shows="vault" aria-labelledby="vault-title"><div class="card">
<h2 class="anchor" id="vault-title">${words.title}</h2>
<form class="vault-tools" id="vault-tools" role="search" aria-label="${words.tools}" hidden>
<div class="field"><label for="record-search">${words.search}</label><input id="record-search" type="search" maxlength="256" autocomplete="off"></div>
<div class="field"><label for="record-type">${words.type}</label><select id="record-type"></select></div>
<div class="row"><button class="quiet" id="browse">${icon("arrow-path")}${words.load}</button>
<button type="button" class="quiet" id="upload">${icon("arrow-up-tray")}${words.upload}</button><input type="file" id="upload-file" hidden aria-label="${words.file}">
<button type="button" id="new-record">${icon("plus")}${words.create}</button></div></form>
<div class="stack" id="records">${emptyState({ illustration: "records", ...words.empty })}</div></div>
${platforms()}</section>`;
}

function platforms(): Html {
  const words = SANDBOX_WORDS.platforms;
  return html`<div class="card"><div class="row spread"><h2 id="platforms-title">${words.title}</h2>
<button type="button" class="quiet small" id="refresh-platforms" disabled>${words.refresh}</button></div>
<div class="stack" id="platforms"><p class="muted">${words.empty}</p></div></div>`;
}
