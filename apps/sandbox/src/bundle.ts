import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The bundled browser app: its files by address, which contains the hash of all of them, and its entry file. */
export interface BrowserApp {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
}

const ENTRY = fileURLToPath(new URL("../browser/main.ts", import.meta.url));
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
  // One folder for all files, since they refer to each other by relative paths.
  const hash = createHash("sha256").update(chunks.map(({ code }) => code).join("\n"));
  const folder = `/app/${hash.digest("base64url").slice(0, HASH_CHARACTERS)}`;
  const files = new Map(chunks.map(({ fileName, code }) => [`${folder}/${fileName}`, code]));
  const entry = `${folder}/${chunks.find(({ isEntry }) => isEntry)?.fileName}`;
  return { entry, files };
}
