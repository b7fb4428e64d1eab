import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { basename } from "node:path";
import { type Page, type PageFiles, renderPage } from "./page.ts";

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
const STYLES = ["tokens", "text", "frame", "blocks", "tables", "forms", "guide", "docs", "workbench"].map(
  (name) => `../style/${name}.css`,
);
const SCRIPTS = ["../browser/ds-copy.mjs", "../browser/ds-live.mjs"];
const ICON = "../style/icon.svg";
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
  const pageFiles: PageFiles = {
    style: add("ui.css", "text/css; charset=utf-8", Buffer.concat(STYLES.map(readOwnFile))),
    icon: add("icon.svg", "image/svg+xml", readOwnFile(ICON)),
    scripts: SCRIPTS.map((at) => add(basename(at), "text/javascript; charset=utf-8", readOwnFile(at))),
  };
  return { files, render: (page) => renderPage(page, pageFiles) };
}

function readOwnFile(at: string): Buffer {
  return readFileSync(new URL(at, import.meta.url));
}
