import { spawnSync } from "node:child_process";
import { createHash } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from "node:fs";
import { homedir } from "node:os";
import path from "node:path";

/** A Node on which the published packages run. */
export interface NodeVersion {
  readonly name: string;
  readonly binary: string;
  readonly hasSqlite: boolean;
  /** It is the oldest with `node:sqlite` as the adapter uses it. For all else there is an older one of its line. */
  readonly isForSqlite: boolean;
}

const FIRST_WITH_SQLITE = "22.16.0";
const FILES = ["package.json", "package-lock.json", ".npmrc"];

/** Why the Nodes of `tools/node-versions` cannot run here; undefined where they can. */
export const noNodeVersions: string | undefined =
  process.platform === "linux" && process.arch === "x64" ? undefined : "tools/node-versions names Nodes for Linux x64";

/**
 * Gives the Nodes of `tools/node-versions` and the one that runs now. They are installed once for each lock, outside the
 * checkout, since they take more than half a gigabyte.
 *
 * Refuses: Error with npm's own words.
 */
export function installNodeVersions(root: string): readonly NodeVersion[] {
  const source = path.join(root, "tools/node-versions");
  const lock = readFileSync(path.join(source, "package-lock.json"));
  const cache = path.join(homedir(), ".cache/dataspace");
  const home = path.join(cache, `node-versions-${createHash("sha256").update(lock).digest("hex").slice(0, 12)}`);
  if (!existsSync(home)) installInto(source, { cache, home });
  const installed = Object.entries(readAliases(root)).map(([name, version]) =>
    describe(version, path.join(home, "node_modules", name, "bin/node")),
  );
  return [...installed, describe(process.versions.node, process.execPath)];
}

/** The versions of `tools/node-versions`. */
export function listNodeVersions(root: string): readonly string[] {
  return Object.values(readAliases(root));
}

/** The version of each Node, by the name under which it is installed. */
function readAliases(root: string): Readonly<Record<string, string>> {
  const manifest = readFileSync(path.join(root, "tools/node-versions/package.json"), "utf8");
  const { dependencies } = JSON.parse(manifest) as { readonly dependencies: Readonly<Record<string, string>> };
  return Object.fromEntries(Object.entries(dependencies).map(([name, alias]) => [name, alias.split("@")[1] ?? ""]));
}

function describe(version: string, binary: string): NodeVersion {
  const hasSqlite = version.localeCompare(FIRST_WITH_SQLITE, "en", { numeric: true }) >= 0;
  return { name: `Node ${version}`, binary, hasSqlite, isForSqlite: version === FIRST_WITH_SQLITE };
}

/** Renamed into place when it is whole: another run never sees half of it. */
function installInto(source: string, to: { readonly cache: string; readonly home: string }): void {
  mkdirSync(to.cache, { recursive: true });
  const fresh = mkdtempSync(path.join(to.cache, "node-versions-new-"));
  try {
    for (const file of FILES) copyFileSync(path.join(source, file), path.join(fresh, file));
    const { status, stdout, stderr } = spawnSync("npm", ["ci", "--prefer-offline"], { cwd: fresh, encoding: "utf8" });
    if (status !== 0) throw new Error(`npm could not install the Nodes of tools/node-versions:\n${stdout}${stderr}`);
    if (!existsSync(to.home)) renameSync(fresh, to.home);
  } finally {
    rmSync(fresh, { recursive: true, force: true });
  }
}
