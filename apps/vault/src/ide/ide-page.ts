import type { EName } from "@dataspace/protocol/ename";
import { EXAMPLE_DOCUMENT, EXAMPLE_VARIABLES } from "./example-document.ts";

/** The IDE's page: its HTML and the Content-Security-Policy it is sent with. */
export interface IdePage {
  readonly policy: string;
  readonly html: string;
}

/** What it forbids: everything not explicitly allowed, other bases and targets, and framing. */
const NOTHING_ELSE = "default-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'none'";
/**
 * The IDE writes styles while it runs, so those are allowed; scripts, requests, images and fonts come from this server
 * only.
 */
const POLICY = `${NOTHING_ELSE}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'`;

/**
 * Renders the page that opens the IDE on one owner's vault.
 *
 * In: the owner, for the header X-ENAME; `filesPath`, the path of the IDE's files, ending in a slash.
 * Refuses: never.
 */
export function renderIdePage(owner: EName, filesPath: string): IdePage {
  const options = {
    initialName: "Examples",
    initialQuery: EXAMPLE_DOCUMENT,
    initialVariables: EXAMPLE_VARIABLES,
    initialHeaders: { "X-ENAME": owner },
    initialSettings: {
      theme: "system",
      "alert.disableUpdateNotification": true,
      "banners.disable": true,
      disablePushNotification: true,
    },
    instanceStorageNamespace: `vault_${owner}_`,
    disableAccount: true,
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>GraphQL ${owner} - Dataspace vault</title>
<base href="${filesPath}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="favicon.ico">
<link rel="stylesheet" href="styles.css">
</head>
<body>
<app-root></app-root>
<noscript>The GraphQL IDE needs JavaScript. The schema is at <a href="/schema.graphql">/schema.graphql</a>.</noscript>
<script type="application/json" id="ide-options">${JSON.stringify(options).replaceAll("<", "\\u003c")}</script>
<script type="module" src="polyfills.js"></script>
<script type="module" src="main.js"></script>
<script type="module" src="../start.js"></script>
</body>
</html>
`;
  return { policy: POLICY, html };
}
