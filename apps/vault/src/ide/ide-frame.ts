import { EXAMPLE_OPERATIONS } from "./example-operations.ts";
import type { IdeSession } from "./ide-session.ts";
import { IDE_TEXTS } from "./ide-texts.ts";

/** The editor's document: its HTML and the Content-Security-Policy it is sent with. */
export interface IdeFrame {
  readonly policy: string;
  readonly html: string;
}

/** What it forbids: everything not explicitly allowed, other bases and targets, and frames of other origins. */
const NOTHING_ELSE = "default-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors 'self'";
/**
 * Altair writes styles while it runs, so those are allowed; scripts, requests, images and fonts come from this server
 * only.
 */
const POLICY = `${NOTHING_ELSE}; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; font-src 'self'; connect-src 'self'; worker-src 'self'`;

const MONO = 'ui-monospace, "SF Mono", "Cascadia Mono", "Liberation Mono", Menlo, Consolas, monospace';

/** A part of the name of the editor's storage. A new number opens the examples again for everybody. */
const STORAGE = "vault_2";

/**
 * Renders the document of the editor, which a page of this service shows in a frame.
 *
 * In: whose vault, and who signs; `at.files`, the path of Altair's files, ending in a slash; `at.font`, the address of
 * the font of all pages. Refuses: never.
 */
export function renderIdeFrame(session: IdeSession, at: { readonly files: string; readonly font: string }): IdeFrame {
  const altair = {
    initialWindows: EXAMPLE_OPERATIONS.map(({ name, query, variables }) => ({
      initialName: name,
      initialQuery: query,
      initialVariables: variables,
    })),
    persistedSettings: {
      theme: "system",
      "theme.editorFontFamily": MONO,
      "theme.editorFontSize": 13,
      "alert.disableUpdateNotification": true,
      "banners.disable": true,
      disablePushNotification: true,
      "schema.reloadOnStart": true,
    },
    // Altair stores answers with its tabs: one person's must never stand below another's name.
    instanceStorageNamespace: `${STORAGE}_${session.owner}_${session.signer ?? ""}_`,
    disableAccount: true,
  };
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${IDE_TEXTS.editor}</title>
<base href="${at.files}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="favicon.ico">
<style>@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url("${at.font}") format("woff2")}</style>
<link rel="stylesheet" href="styles.css">
<link rel="stylesheet" href="../frame.css">
</head>
<body>
<app-root></app-root>
<script type="application/json" id="ide-options">${JSON.stringify({ session, altair }).replaceAll("<", "\\u003c")}</script>
<script type="module" src="polyfills.js"></script>
<script type="module" src="main.js"></script>
<script type="module" src="../start.js"></script>
</body>
</html>
`;
  return { policy: POLICY, html };
}
