import { html } from "hono/html";
import type { Html } from "@dataspace/ui/html";
import { LOGIN_SCRIPT, LOGIN_STYLE } from "./login-files.ts";
import type { Speech } from "./words.ts";

/** The content of one login page. */
export interface LoginFramePage {
  readonly title: string;
  readonly label: string;
  /** The value of a refresh for browsers without JavaScript. */
  readonly refresh?: string | undefined;
  readonly main: Html;
}

/** Renders a login page: one stylesheet, one script, no font, nothing from elsewhere. Refuses: never. */
export async function renderLoginFrame(page: LoginFramePage, { language, direction }: Speech): Promise<string> {
  const whole = await html`<!doctype html>
<html lang="${language}" dir="${direction}">
<head>
<meta charset="utf-8">
<title>${page.title} - ${page.label}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="robots" content="noindex">
<link rel="icon" href="/favicon.ico">
<link rel="stylesheet" href="${LOGIN_STYLE.address}">
<script type="module" src="${LOGIN_SCRIPT.address}"></script>
${page.refresh && html`<noscript><meta http-equiv="refresh" content="${page.refresh}"></noscript>`}
</head>
<body>
<header>${page.label}</header>
<main>
${page.main}
</main>
</body>
</html>
`;
  return String(whole);
}
