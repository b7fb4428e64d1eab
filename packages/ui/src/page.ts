import { html } from "hono/html";
import type { Html } from "./html.ts";

/** A link of the bar at the top; `current` marks where the reader is. */
export interface NavLink {
  readonly href: string;
  readonly text: string;
  readonly current: boolean;
}

/** What one page says. */
export interface Page {
  /** The first thing in the window's title, and what the page is called. */
  readonly title: string;
  /** Which part of Dataspace the page is of, as it stands beside the name. */
  readonly part: string;
  /** Where the name in the bar leads. */
  readonly home: string;
  readonly nav?: readonly NavLink[];
  /** Who is signed in, with the way out. */
  readonly who?: Html;
  /** A column for one short matter, such as signing in. */
  readonly isNarrow?: boolean;
  /** Modules of its own, beside those that every page has. */
  readonly scripts?: readonly string[];
  /** Room for more than a column to be read: the whole width. */
  readonly isWide?: boolean;
  /** Without JavaScript the page is asked for again after so many seconds. */
  readonly refreshSeconds?: number;
  readonly main: Html;
}

/** The addresses of what a page loads. */
export interface PageFiles {
  readonly style: string;
  readonly icon: string;
  readonly scripts: readonly string[];
}

/** Writes a whole page: the frame that all pages share, around what this one says. Refuses: never. */
export async function renderPage(page: Page, files: PageFiles): Promise<string> {
  const whole = await html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${page.title} - Dataspace ${page.part}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="stylesheet" href="${files.style}">
${[...files.scripts, ...(page.scripts ?? [])].map((script) => html`<script type="module" src="${script}"></script>`)}
${page.refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div>
${brand(page)}
${page.nav && html`<nav aria-label="Main">${page.nav.map(navLink)}</nav>`}
${page.who && html`<div class="who">${page.who}</div>`}
</div></header>
<main id="main" tabindex="-1"${page.isNarrow && html` class="narrow"`}${page.isWide && html` class="wide"`}>
${page.main}
</main>
</body>
</html>
`;
  return String(whole);
}

function brand({ home, part }: Page): Html {
  return html`<a class="brand" href="${home}">
<svg viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="2" aria-hidden="true"><rect x="2.5" y="2.5" width="19" height="19" rx="6"/><circle cx="12" cy="12" r="4.5"/><path d="M12 7.5v-2M12 18.5v-2M16.5 12h2M5.5 12h2" stroke-linecap="round"/></svg>
<span>Dataspace <small>${part}</small></span></a>`;
}

function navLink({ href, text, current }: NavLink): Html {
  return html`<a href="${href}"${current && html` aria-current="page"`}>${text}</a>`;
}
