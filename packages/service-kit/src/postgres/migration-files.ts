import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";

const FILE_NAME = /^(\d{3})-[a-z0-9-]+\.sql$/;
const ONLINE_MARK = /^-- online(?::.*)?$/;
const OPTIONAL_MARK = /^-- optional:\s*(\S.*)$/m;

/** One numbered step of a service's schema. */
export interface MigrationFile {
  readonly number: number;
  readonly name: string;
  readonly sql: string;
  /** SHA-256 of the text, hex. */
  readonly checksum: string;
  /** The reason in the first line of an optional migration; undefined for a required one. */
  readonly optionalReason: string | undefined;
  /** The first line is `-- online`: it runs beside requests, outside a transaction. */
  readonly isOnline: boolean;
}

/**
 * Reads the migrations of a directory: `001-initial.sql`, `002-...`, in the order of their numbers.
 *
 * Refuses: a plain Error for a `.sql` file with another form of name or a duplicate number (a fault in the build).
 */
export async function readMigrationFiles(directory: URL): Promise<readonly MigrationFile[]> {
  const base = directory.href.endsWith("/") ? directory : new URL(`${directory.href}/`);
  const names = (await readdir(base)).filter((name) => name.endsWith(".sql")).sort();
  const files = await Promise.all(names.map((name) => readMigrationFile(base, name)));
  files.forEach((file, index) => {
    if (files[index - 1]?.number === file.number) throw new Error(`Two migrations carry the number of ${file.name}.`);
  });
  return files;
}

async function readMigrationFile(directory: URL, name: string): Promise<MigrationFile> {
  const number = FILE_NAME.exec(name)?.[1];
  if (number === undefined) throw new Error(`${name} is not named like a migration: 001-initial.sql`);
  const sql = await readFile(new URL(name, directory), "utf8");
  const firstLine = sql.slice(0, (sql.indexOf("\n") + 1 || sql.length + 1) - 1).trimEnd();
  return {
    number: Number(number),
    name,
    sql,
    checksum: createHash("sha256").update(sql).digest("hex"),
    optionalReason: OPTIONAL_MARK.exec(firstLine)?.[1],
    isOnline: ONLINE_MARK.test(firstLine),
  };
}
