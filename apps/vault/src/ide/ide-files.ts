import { readdirSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";
import { ALTAIR_TEXTS } from "./ide-texts.ts";

/** A file of the IDE, as it is sent. */
export interface IdeFile {
  readonly type: string;
  readonly bytes: Buffer;
}

const TYPES: Readonly<Record<string, string>> = {
  ".css": "text/css; charset=utf-8",
  ".ico": "image/x-icon",
  ".js": "text/javascript; charset=utf-8",
  ".json": "application/json; charset=utf-8",
  ".png": "image/png",
  ".svg": "image/svg+xml",
  ".woff": "font/woff",
  ".woff2": "font/woff2",
};

const ENGLISH = "assets/i18n/en-US.json";

/**
 * Opens Altair's files from its package. Nothing is loaded or listed before the first file is requested.
 *
 * Out: a reader by path below the package's directory; undefined for any other path. The frame in which Altair runs
 * request scripts is left out, so no such script runs here. Some of its English texts are replaced.
 * Refuses: never.
 */
export function openIdeFiles(): (path: string) => Promise<IdeFile | undefined> {
  let listed: ReadonlyMap<string, string> | undefined;
  return async (path) => {
    listed ??= listFiles(fileURLToPath(new URL(".", import.meta.resolve("altair-static/build/dist/index.html"))));
    const file = listed.get(path);
    const type = TYPES[extname(path)];
    if (file === undefined || type === undefined) return undefined;
    const bytes = await readFile(file);
    return { type, bytes: path === ENGLISH ? withOwnTexts(bytes) : bytes };
  };
}

function withOwnTexts(bytes: Buffer): Buffer {
  return Buffer.from(JSON.stringify({ ...JSON.parse(bytes.toString()), ...ALTAIR_TEXTS }));
}

/** Reads a file of the editor's frame that belongs to this service. Refuses: never. */
export function readFrameFile(name: "start.mjs" | "frame.css"): Buffer {
  return readFileSync(new URL(`browser/${name}`, import.meta.url));
}

function listFiles(directory: string): ReadonlyMap<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => [name.split(sep).join("/"), join(directory, name)] as const);
  return new Map(paths.filter(([path]) => !path.startsWith("iframe-sandbox/")));
}
