import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { CopiedTable } from "@dataspace/service-kit/postgres/table-copy";
import { type Environment, withConfiguredDatabase } from "../configured-database.ts";
import { OPERATED_SERVICES } from "../operate/operated-services.ts";
import type { Outcome } from "../print-outcome.ts";
import { findFiles } from "./find-files.ts";
import type { Manifest } from "./manifest.ts";
import { restoreBackup } from "./restore-backup.ts";
import { takeBackup } from "./take-backup.ts";

/** The environment of the running services, where progress is reported, and the time for manifests. */
export interface DrillDeps {
  readonly env: Environment;
  readonly report: (line: string) => void;
  readonly nowMs: () => number;
}

/**
 * Practises a restore while the services run: takes a backup, restores it into an embedded PostgreSQL and a directory of
 * their own, backs that up too, and compares the two backups.
 *
 * In: a directory that does not exist; it holds `backup`, `restored` and `again` afterwards. The running services and
 * their storage are not changed. Out: the counts, and how long each part took. Refuses: StartupError 78 as `takeBackup`
 * and `restoreBackup`, and for a difference. Source: issue "a drill script".
 */
export async function runDrill({ env, report, nowMs }: DrillDeps, directory: string): Promise<Outcome> {
  // The user of the embedded PostgreSQL must be able to enter it; each part below is private.
  await mkdir(directory, { mode: 0o711 }).catch((error: NodeJS.ErrnoException) => {
    const why = error.code === "EEXIST" ? "exists already; name a new one" : `cannot be created (${error.code})`;
    throw new StartupError(`--in: ${directory} ${why}.`);
  });
  const [backup, restored, again] = ["backup", "restored", "again"].map((part) => join(directory, part)) as [
    string,
    string,
    string,
  ];
  const startedMs = nowMs();
  report("Taking a backup ...");
  const taken = await withConfiguredDatabase(env, { report }, (_database, url) =>
    takeBackup({ nowMs: nowMs() }, { url, files: findFiles(env), to: backup }),
  );
  const takenMs = nowMs();
  report("Restoring it ...");
  const files = { kind: "directory", path: join(restored, "files"), isNamed: false } as const;
  const sources = OPERATED_SERVICES.flatMap(({ migrations }) => migrations);
  // No vault listens on port 0: the check for a running data space does not concern a new directory.
  const own = { DS_DATA_DIR: restored, DS_VAULT_PORT: "0" };
  const repeated = await withConfiguredDatabase(own, { report }, async (database, url) => {
    await restoreBackup(database, { from: backup, url, files, sources });
    report("Comparing ...");
    return await takeBackup({ nowMs: nowMs() }, { url, files, to: again });
  });
  assertSame(taken, repeated);
  return toOutcome(taken, { directory, backupMs: takenMs - startedMs, restoreMs: nowMs() - takenMs });
}

function assertSame(taken: Manifest, repeated: Manifest): void {
  const stored = ({ tables }: Manifest) => tables.filter(({ name }) => name !== "schema_migration");
  const toLine = ({ name, rows, sha256 }: CopiedTable) => `${name} ${rows} ${sha256}`;
  const lines = new Set(stored(repeated).map(toLine));
  const table = stored(taken).find((each) => !lines.has(toLine(each)));
  if (table !== undefined) throw new StartupError(`The table ${table.name} differs after the restore.`);
  const hashes = new Map(repeated.files.map(({ path, sha256 }) => [path, sha256]));
  const file = taken.files.find(({ path, sha256 }) => hashes.get(path) !== sha256);
  if (file !== undefined) throw new StartupError(`The file ${file.path} differs after the restore.`);
}

function toOutcome(
  { tables, files, notIncluded }: Manifest,
  run: { readonly directory: string; readonly backupMs: number; readonly restoreMs: number },
): Outcome {
  const rows = tables.reduce((sum, table) => sum + table.rows, 0);
  const seconds = (ms: number) => `${(ms / 1_000).toFixed(1)} s`;
  const lines = [
    `Restored and compared: ${rows} rows of ${tables.length} tables, ${files.length} files; nothing differs.`,
    `The backup took ${seconds(run.backupMs)}, the restore and the comparison ${seconds(run.restoreMs)}.`,
    ...notIncluded.map((part) => `Not included: ${part}. Practise its restore as well.`),
    `${run.directory} holds the copies. Look at them with DS_DATA_DIR=${join(run.directory, "restored")}, then delete it.`,
  ];
  const json = { ...run, tables: tables.length, rows, files: files.length, notIncluded };
  return { lines, json };
}
