import { html } from "hono/html";
import type { Html } from "./html.ts";
import { type IconName, icon } from "./icon.ts";

/** A link of the bar at the top; `current` marks where the reader is. A phone shows the icon above the text. */
export interface NavLink {
  readonly href: string;
  readonly text: string;
  readonly current: boolean;
  readonly icon?: IconName;
}

/** The themes that a page can be shown in. */
export const THEMES = ["light", "dark"] as const;

/** One of the two themes. */
export type Theme = (typeof THEMES)[number];

/** The content of one page. */
export interface Page {
  /** The page's name, first in the window's title. */
  readonly title: string;
  /** The part of Dataspace that the page belongs to, shown beside the name. */
  readonly part: string;
  /** Where the name in the bar leads. */
  readonly home: string;
  readonly nav?: readonly NavLink[];
  /** The signed-in person, with the sign-out form. */
  readonly who?: Html;
  /** A narrow column for a short task, such as signing in. */
  readonly isNarrow?: boolean;
  /** Additional script modules. */
  readonly scripts?: readonly string[];
  /** Components that a script adds later. The page loads the scripts of those in `main` by itself. */
  readonly later?: readonly ScriptedElement[];
  /** Uses the whole width, for more than a column of text. */
  readonly isWide?: boolean;
  /** Fills the window below the bar, for a tool with its own areas that scroll. */
  readonly isWhole?: boolean;
  /** Without JavaScript the page reloads after so many seconds. */
  readonly refreshSeconds?: number;
  /** Shows the page in this theme; without it the reader's system decides. */
  readonly theme?: Theme | undefined;
  readonly main: Html;
}

/** The elements that need a script. */
export const SCRIPTED_ELEMENTS = ["ds-copy", "dialog", "ds-live", "ds-tabs", "ds-toasts"] as const;

/** One of them. */
export type ScriptedElement = (typeof SCRIPTED_ELEMENTS)[number];

/** The addresses of the files that pages load. */
export interface PageFiles {
  readonly style: string;
  readonly icon: string;
  readonly font: string;
  readonly scripts: Readonly<Record<ScriptedElement, string>>;
}

/** Renders a whole page: the shared frame around this page's content. Refuses: never. */
export async function renderPage(page: Page, files: PageFiles): Promise<string> {
  const main = await page.main;
  const scripts = [...scriptedIn(main, page.later ?? []).map((name) => files.scripts[name]), ...(page.scripts ?? [])];
  const whole = await html`<!doctype html>
<html lang="en"${page.theme && html` class="${page.theme}"`}>
<head>
<meta charset="utf-8">
<title>${page.title} - Dataspace ${page.part}</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="icon" href="${files.icon}" type="image/svg+xml">
<link rel="preload" href="${files.font}" as="font" type="font/woff2" crossorigin>
<link rel="stylesheet" href="${files.style}">
${scripts.map((script) => html`<script type="module" src="${script}"></script>`)}
${page.refreshSeconds && html`<noscript><meta http-equiv="refresh" content="${page.refreshSeconds}"></noscript>`}
</head>
<body>
<a class="skip" href="#main">Skip to the content</a>
<header class="bar"><div>
${brand(page)}
${page.nav && html`<nav aria-label="Main">${page.nav.map(navLink)}</nav>`}
${page.who && html`<div class="who">${page.who}</div>`}
</div></header>
<main id="main" tabindex="-1"${page.isNarrow && html` class="narrow"`}${page.isWide && html` class="wide"`}${page.isWhole && html` class="whole"`}>
${main}
</main>
</body>
</html>
`;
  return String(whole);
}

// A value in a page is escaped, so only a component contains its own tag. What a live part loads may hold text to copy.
function scriptedIn(main: string, later: readonly ScriptedElement[]): readonly ScriptedElement[] {
  const isIn = (name: string): boolean => main.includes(`<${name} `) || main.includes(`<${name}>`);
  const found = SCRIPTED_ELEMENTS.filter((name) => later.includes(name) || isIn(name));
  return found.includes("ds-live") ? [...new Set<ScriptedElement>(["ds-copy", ...found])] : found;
}

function brand({ home, part }: Page): Html {
  return html`<a class="brand" href="${home}">
<svg viewBox="0 0 24 24" aria-hidden="true"><rect width="24" height="24" rx="7"/><circle cx="12" cy="12" r="4.25"/><path d="M12 7.75V5.5M12 18.5v-2.25M16.25 12h2.25M5.5 12h2.25"/></svg>
<span>Dataspace <small>${part}</small></span></a>`;
}

function navLink({ href, text, current, icon: name }: NavLink): Html {
  return html`<a href="${href}"${current && html` aria-current="page"`}>${name && icon(name)}${text}</a>`;
}
