import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { z } from "zod";
import type { CopiedTable } from "@dataspace/service-kit/postgres/table-copy";

/** A stored file of a backup: its path below `files`, its size, and its SHA-256, hex. */
export interface CopiedFile {
  readonly path: string;
  readonly sizeBytes: number;
  readonly sha256: string;
}

/** What a backup holds. */
export interface Manifest {
  readonly format: 1;
  readonly createdAt: string;
  /** The migrations of the database, by service. */
  readonly migrations: Readonly<Record<string, readonly string[]>>;
  readonly tables: readonly CopiedTable[];
  readonly files: readonly CopiedFile[];
  /** What the services store and the backup does not hold, in words; each needs a backup of its own. */
  readonly notIncluded: readonly string[];
}

const MANIFEST = "manifest.json";
const DIGEST = "manifest.sha256";
const hash = z.string().regex(/^[0-9a-f]{64}$/);
const count = z.number().int().nonnegative();
/** A path below a directory: no part of it is `..` or hidden, and it is not absolute. */
const path = z.string().regex(/^[A-Za-z0-9_][A-Za-z0-9_.-]*(?:\/[A-Za-z0-9_][A-Za-z0-9_.-]*){0,15}$/);
const SHAPE = z.object({
  format: z.literal(1),
  createdAt: z.string(),
  migrations: z.record(z.string(), z.array(z.string())),
  tables: z.array(
    z.object({
      name: z.string().regex(/^[a-z_][a-z0-9_]{0,62}$/),
      columns: z.array(z.string()),
      rows: count,
      sizeBytes: count,
      sha256: hash,
    }),
  ),
  files: z.array(z.object({ path, sizeBytes: count, sha256: hash })),
  notIncluded: z.array(z.string()).default([]),
});

/** Writes a manifest and its digest, the last files of a backup: without them it is not one. */
export async function writeManifest(directory: string, manifest: Manifest): Promise<void> {
  const text = JSON.stringify(manifest, undefined, 1);
  await writeFile(join(directory, MANIFEST), text, { flag: "wx", mode: 0o600, flush: true });
  await writeFile(join(directory, DIGEST), `${digest(text)}\n`, { flag: "wx", mode: 0o600, flush: true });
}

/**
 * Reads a backup's manifest and compares every part of the backup with it.
 *
 * Refuses: StartupError 78 naming the first file that is missing, altered, or of another format. Source: issue
 * "one flipped byte is refused".
 */
export async function verifyBackup(directory: string): Promise<Manifest> {
  const [text, stated] = await Promise.all([readText(directory, MANIFEST), readText(directory, DIGEST)]);
  if (digest(text) !== stated.trim()) throw new StartupError(`${join(directory, MANIFEST)} was altered.`);
  const parsed = SHAPE.safeParse(JSON.parse(text));
  if (!parsed.success) {
    throw new StartupError(`${join(directory, MANIFEST)} has a format that this build does not read.`);
  }
  const manifest = parsed.data;
  for (const table of manifest.tables) await verifyFile(join(directory, "tables", table.name), table.sha256);
  for (const file of manifest.files) await verifyFile(join(directory, "files", file.path), file.sha256);
  return manifest;
}

async function verifyFile(file: string, sha256: string): Promise<void> {
  const found = await hashFile(file);
  if (found === sha256) return;
  throw new StartupError(`${file} ${found === undefined ? "is missing" : "was altered"}. Restore another backup.`);
}

/** The SHA-256 of a file, hex; undefined when there is none. */
export async function hashFile(file: string): Promise<string | undefined> {
  const sum = createHash("sha256");
  try {
    await pipeline(createReadStream(file), sum);
    return sum.digest("hex");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return undefined;
    throw error;
  }
}

async function readText(directory: string, name: string): Promise<string> {
  try {
    return await readFile(join(directory, name), "utf8");
  } catch {
    throw new StartupError(`${join(directory, name)} cannot be read: this is not a complete backup.`);
  }
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}
