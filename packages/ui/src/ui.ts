import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { type Page, type PageFiles, renderPage, type ScriptedElement } from "./page.ts";

/** A file that pages load. */
export interface UiFile {
  readonly type: string;
  readonly bytes: Buffer;
}

/** Renders pages, and lists the files that they load. */
export interface Ui {
  /** By address; an address contains its content's hash, so its content never changes. */
  readonly files: ReadonlyMap<string, UiFile>;
  readonly render: (page: Page) => Promise<string>;
}

// In this order: later styles are more specific.
const STYLES = [
  ...[
    "tokens",
    "text",
    "frame",
    "blocks",
    "marks",
    "waiting",
    "tables",
    "charts",
    "buttons",
    "forms",
    "overlays",
    "guide",
    "docs",
  ],
].map((name) => new URL(`../style/${name}.css`, import.meta.url));
/** The script of each element. */
const SCRIPTS: Readonly<Record<ScriptedElement, string>> = {
  "ds-copy": "ds-copy.mjs",
  dialog: "ds-dialog.mjs",
  "ds-live": "ds-live.mjs",
  "ds-tabs": "ds-tabs.mjs",
  "ds-toasts": "ds-toasts.mjs",
};
const ICON = new URL("../style/icon.svg", import.meta.url);
/** Inter for the Latin alphabet, all weights in one file. Other alphabets use the reader's fonts. */
const FONT = new URL(import.meta.resolve("@fontsource-variable/inter/files/inter-latin-wght-normal.woff2"));
const LATIN =
  "U+0000-00FF,U+0131,U+0152-0153,U+02BB-02BC,U+02C6,U+02DA,U+02DC,U+0304,U+0308,U+0329,U+2000-206F,U+20AC,U+2122,U+2191,U+2193,U+2212,U+2215,U+FEFF,U+FFFD";
const HASH_CHARACTERS = 12;

/** Reads the design system's files once, and makes the renderer of pages. Refuses: never. */
export function createUi(): Ui {
  const files = new Map<string, UiFile>();
  const add = (name: string, type: string, bytes: Buffer): string => {
    const hash = createHash("sha256").update(bytes).digest("base64url").slice(0, HASH_CHARACTERS);
    const address = `/ui/${hash}/${name}`;
    files.set(address, { type, bytes });
    return address;
  };
  const font = add("inter.woff2", "font/woff2", readFileSync(FONT));
  const style = Buffer.concat([Buffer.from(fontFace(font)), ...STYLES.map((at) => readFileSync(at))]);
  const pageFiles: PageFiles = {
    font,
    style: add("ui.css", "text/css; charset=utf-8", style),
    icon: add("icon.svg", "image/svg+xml", readFileSync(ICON)),
    scripts: Object.fromEntries(
      Object.entries(SCRIPTS).map(([element, name]) => {
        const bytes = readFileSync(new URL(`../browser/${name}`, import.meta.url));
        return [element, add(name, "text/javascript; charset=utf-8", bytes)];
      }),
    ) as PageFiles["scripts"],
  };
  return { files, render: (page) => renderPage(page, pageFiles) };
}

function fontFace(address: string): string {
  return `@font-face{font-family:Inter;font-weight:100 900;font-display:swap;src:url("${address}") format("woff2");unicode-range:${LATIN}}\n`;
}
