import { createHash } from "node:crypto";
import { NOTHING_ELSE, type Page } from "./page.ts";

/** What a visitor typed that is no owner here, and why it is not. */
export interface OwnerFault {
  readonly typed: string;
  readonly message: string;
}

const STYLE = `
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; min-height: 100vh; display: grid; place-items: center; background: light-dark(#f6f7f9, #14171c);
  color: light-dark(#1c2430, #e6e9ee); }
main { box-sizing: border-box; width: min(34rem, 100vw - 2rem); padding: 2rem; border-radius: 12px;
  background: light-dark(#fff, #1d2229); border: 1px solid light-dark(#dde1e7, #333b46); }
h1 { margin: 0 0 .5rem; font-size: 1.35rem; }
p { margin: .5rem 0; }
form { margin: 1.5rem 0 1rem; display: grid; grid-template-columns: 1fr auto; gap: .35rem .6rem; }
label, .fault { grid-column: 1 / -1; }
label { font-weight: 600; }
input, button { font: inherit; padding: .55rem .75rem; border-radius: 8px; border: 1px solid light-dark(#8a94a3, #6c7787); }
input { min-width: 0; font-family: ui-monospace, monospace; font-size: .9rem; background: transparent; color: inherit; }
button { border-color: transparent; background: #2358c5; color: #fff; font-weight: 600; cursor: pointer; }
:focus-visible { outline: 3px solid light-dark(#2358c5, #8fb1ff); outline-offset: 2px; }
.fault { margin: 0; color: light-dark(#a8181f, #ff9a9a); }
.aside { font-size: .9rem; color: light-dark(#4d5866, #b3bcc8); }
code { font-family: ui-monospace, monospace; font-size: .92em; }
a { color: light-dark(#2358c5, #8fb1ff); }
`;

/**
 * Writes the page that asks whose vault the IDE shall open: a vault serves many owners and every request names one.
 *
 * In: what was wrong with the owner asked for, if one was. Refuses: never. Source: S1 "X-ENAME".
 */
export function renderOwnerPage(fault: OwnerFault | undefined): Page {
  const described = fault === undefined ? "" : ' aria-invalid="true" aria-describedby="fault"';
  const notice = fault === undefined ? "" : `<p class="fault" id="fault" role="alert">${escapeHtml(fault.message)}</p>`;
  const html = `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>Whose vault? - Dataspace vault</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="icon" href="data:,">
<style>${STYLE}</style>
</head>
<body>
<main>
<h1>Whose vault shall GraphQL ask?</h1>
<p>This server keeps the vaults of many owners. Each request names one of them in the header <code>X-ENAME</code>.</p>
<form action="graphiql" method="get">
<label for="ename">eName of the owner</label>
<input id="ename" name="ename" required autofocus autocomplete="on" spellcheck="false" autocapitalize="none"
  placeholder="@00000000-0000-0000-0000-000000000000" value="${escapeHtml(fault?.typed ?? "")}"${described}>
<button>Open</button>
${notice}
</form>
<p class="aside">An eName is <code>@</code> and a UUID; whoever provisioned the vault was told it.
The contract alone is at <a href="schema.graphql">schema.graphql</a>.</p>
</main>
</body>
</html>
`;
  const styleHash = createHash("sha256").update(STYLE).digest("base64");
  return { policy: `${NOTHING_ELSE}; img-src data:; style-src 'sha256-${styleHash}'`, html };
}

function escapeHtml(text: string): string {
  return text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll('"', "&quot;");
}
