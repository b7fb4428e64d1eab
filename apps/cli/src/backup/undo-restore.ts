import { readdir, rm } from "node:fs/promises";
import { join } from "node:path";
import type { Database } from "@dataspace/service-kit/postgres/database";

/** What belongs to an extension stays: an operator may have installed it before the restore. */
const NOT_OF_EXTENSION = (oid: string): string =>
  `not exists (select from pg_depend d where d.objid = ${oid} and d.deptype = 'e')`;
const IN_PUBLIC = "'public'::regnamespace";

/** Tables first, since their indexes and triggers use the functions. */
const DROPS: readonly string[] = [
  `select format('drop table if exists %s cascade', oid::regclass) as text from pg_class
    where relkind in ('r', 'p') and relnamespace = ${IN_PUBLIC} and ${NOT_OF_EXTENSION("pg_class.oid")}`,
  `select format('drop routine if exists %s cascade', oid::regprocedure) as text from pg_proc
    where pronamespace = ${IN_PUBLIC} and ${NOT_OF_EXTENSION("pg_proc.oid")}`,
];

/**
 * Removes what a restore that failed has left in a database and a directory that were empty before it: the tables and
 * functions of the migrations, and the files. So the restore can be run again.
 *
 * In: `files`, undefined where the restore wrote none. Refuses: the errors of the database and of the disk.
 */
export async function undoRestore(database: Database, files: string | undefined): Promise<void> {
  for (const text of DROPS) {
    const { rows } = await database.query<{ readonly text: string }>({ text, values: [] });
    for (const drop of rows) await database.query({ text: drop.text, values: [] });
  }
  if (files === undefined) return;
  const entries = await readdir(files).catch(() => []);
  for (const entry of entries) await rm(join(files, entry), { recursive: true, force: true });
}
