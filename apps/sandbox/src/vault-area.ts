import { emptyState } from "@dataspace/ui/empty-state";
import { icon } from "@dataspace/ui/icon";
import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";

/** Renders the area for the vault and for the platforms that reach it. Refuses: never. Source: S3 "Sandbox"; decision A2. */
export function vaultArea(): Html {
  return html`<section class="area" id="vault-area" data-shows="vault" aria-labelledby="vault-title"><div class="card">
<h2 class="anchor" id="vault-title">Vault</h2>
<form class="vault-tools" id="vault-tools" role="search" aria-label="Records" hidden>
<div class="field"><label for="record-search">Search</label><input id="record-search" type="search" maxlength="256" autocomplete="off"></div>
<div class="field"><label for="record-type">Type</label><select id="record-type"></select></div>
<div class="row"><button class="quiet" id="browse">${icon("arrow-path")}Load records</button>
<button type="button" class="quiet" id="upload">${icon("arrow-up-tray")}Upload a file</button><input type="file" id="upload-file" hidden aria-label="File to upload">
<button type="button" id="new-record">${icon("plus")}New record</button></div></form>
<div class="stack" id="records">${emptyState({ illustration: "records", title: "No identity yet", text: "Provision an identity first. Its records appear here, each with its history and who may use it." })}</div></div>
${platforms()}</section>`;
}

function platforms(): Html {
  return html`<div class="card"><div class="row spread"><h2 id="platforms-title">Platforms</h2>
<button type="button" class="quiet small" id="refresh-platforms" disabled>Refresh</button></div>
<div class="stack" id="platforms"><p class="muted">Provision an identity first. This list shows which platforms had access to its vault, and under which certificate.</p></div></div>`;
}
