import { execFile } from "node:child_process";
import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { vaultMigrations } from "@dataspace/vault/migrations";
import type { ExportedReport } from "./export-child.ts";
import { fillVault } from "./fill-vault.ts";
import { openLarge } from "./open-large.ts";

/** The size of the vault, and where the database is. */
export interface ExportRun {
  readonly records: number;
  readonly url: string;
  readonly say: (line: string) => void;
}

/** What the export and the verification took, and the size of the archive. */
export interface ExportReport extends ExportedReport {
  readonly archiveBytes: number;
  readonly faults: readonly string[];
}

const run = promisify(execFile);
const CHILD = fileURLToPath(new URL("./export-child.ts", import.meta.url));
/** It holds the program and about 20,000 records. */
const HEAP_MIB = 40;

/**
 * Exports and verifies a vault with many records, in a process whose heap holds only a fraction of them.
 *
 * Refuses: the database's errors; an Error with the process's output where it runs out of memory or refuses.
 */
export async function runExport({ records, url, say }: ExportRun): Promise<ExportReport> {
  const directory = await mkdtemp(join(tmpdir(), "dataspace-large-"));
  const file = join(directory, "vault.dsv.gz");
  try {
    {
      await using database = openLarge(url, "large-fill", 1);
      await migrate(database, vaultMigrations);
      await fillVault(database, records);
    }
    say(`${records} records are there`);
    const { stdout } = await run(process.execPath, [`--max-old-space-size=${HEAP_MIB}`, CHILD, url, file]);
    const exported = JSON.parse(stdout) as ExportedReport;
    const isComplete = exported.records === records && exported.versions === records;
    const faults = isComplete ? [] : [`${exported.records} records and ${exported.versions} versions were exported`];
    return { ...exported, archiveBytes: (await stat(file)).size, faults };
  } finally {
    await rm(directory, { recursive: true });
  }
}
