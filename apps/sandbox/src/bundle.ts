import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The browser app: its files by address, which contains the hash of all of them, its entry file, and its style. */
export interface BrowserApp {
  readonly entry: string;
  readonly style: string;
  readonly files: ReadonlyMap<string, string>;
}

const ENTRY = fileURLToPath(new URL("../browser/main.ts", import.meta.url));
const STYLES = ["layout", "activity", "requests", "vault"].map(
  (name) => new URL(`../style/${name}.css`, import.meta.url),
);
const HASH_CHARACTERS = 12;

/**
 * Bundles the browser app with the packages that it uses, without writing a file.
 *
 * Refuses: an Error that names the faulty module.
 */
export async function bundleBrowserApp(): Promise<BrowserApp> {
  await using bundle = await rolldown({ input: ENTRY, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "es", minify: true });
  const chunks = output.filter((one) => one.type === "chunk");
  const css = STYLES.map((at) => readFileSync(at, "utf8")).join("\n");
  // One folder for all files, since they refer to each other by relative paths.
  const hash = createHash("sha256").update([css, ...chunks.map(({ code }) => code)].join("\n"));
  const folder = `/app/${hash.digest("base64url").slice(0, HASH_CHARACTERS)}`;
  const style = `${folder}/sandbox.css`;
  const files = new Map([
    [style, css],
    ...chunks.map(({ fileName, code }) => [`${folder}/${fileName}`, code] as const),
  ]);
  const entry = `${folder}/${chunks.find(({ isEntry }) => isEntry)?.fileName}`;
  return { entry, style, files };
}
