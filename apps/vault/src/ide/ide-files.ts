import { readdirSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { extname, join, sep } from "node:path";
import { fileURLToPath } from "node:url";

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

/**
 * Opens the IDE's files from its package. Nothing is loaded or listed before the first file is requested.
 *
 * Out: a reader by path below the package's directory; undefined for any other path. The frame in which that IDE runs
 * request scripts is left out, so no such script runs here.
 * Refuses: never.
 */
export function openIdeFiles(): (path: string) => Promise<IdeFile | undefined> {
  let listed: ReadonlyMap<string, string> | undefined;
  return async (path) => {
    listed ??= listFiles(fileURLToPath(new URL(".", import.meta.resolve("altair-static/build/dist/index.html"))));
    const file = listed.get(path);
    const type = TYPES[extname(path)];
    return file === undefined || type === undefined ? undefined : { type, bytes: await readFile(file) };
  };
}

function listFiles(directory: string): ReadonlyMap<string, string> {
  const names = readdirSync(directory, { recursive: true, encoding: "utf8" });
  const paths = names.map((name) => [name.split(sep).join("/"), join(directory, name)] as const);
  return new Map(paths.filter(([path]) => !path.startsWith("iframe-sandbox/")));
}
