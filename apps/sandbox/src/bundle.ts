import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { rolldown } from "rolldown";

/** The browser app as it is served: its files by address, which holds the hash of all of them, and where it begins. */
export interface BrowserApp {
  readonly entry: string;
  readonly files: ReadonlyMap<string, string>;
}

const ENTRY = fileURLToPath(new URL("../browser/main.ts", import.meta.url));
const HASH_CHARACTERS = 12;

/**
 * Puts the browser app together out of its modules and those of the packages that it stands on, without a file being written.
 *
 * Refuses: an Error that names the module at fault.
 */
export async function bundleBrowserApp(): Promise<BrowserApp> {
  await using bundle = await rolldown({ input: ENTRY, platform: "browser", logLevel: "silent" });
  const { output } = await bundle.generate({ format: "es", minify: true });
  const chunks = output.filter((one) => one.type === "chunk");
  // One folder for all, since they name each other by where they lie.
  const hash = createHash("sha256").update(chunks.map(({ code }) => code).join("\n"));
  const folder = `/app/${hash.digest("base64url").slice(0, HASH_CHARACTERS)}`;
  const files = new Map(chunks.map(({ fileName, code }) => [`${folder}/${fileName}`, code]));
  const entry = `${folder}/${chunks.find(({ isEntry }) => isEntry)?.fileName}`;
  return { entry, files };
}
