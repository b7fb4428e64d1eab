import { createChanges } from "../state/changes.ts";
import type { Sync } from "../sync/sync.ts";
import { findTable } from "../sync/table-access.ts";

/** One thing that was looked at. */
export interface Finding {
  readonly what: string;
  readonly isWell: boolean;
  readonly says: string;
}

const TRIGGERS = {
  postgres:
    "select c.relname as name from pg_trigger t join pg_class c on c.oid = t.tgrelid where t.tgname = 'ds_capture'",
  sqlite: "select tbl_name as name from sqlite_master where type = 'trigger' and name like 'ds_capture_%'",
} as const;

const TABLES = {
  postgres: "select to_regclass('ds_change')::text as name",
  sqlite: "select name from sqlite_master where name = 'ds_change'",
} as const;

/** Looks at what an adapter needs: its tables, the tables of its mappings, their triggers, and what waits. Refuses: never. */
export async function examine<Transaction>(sync: Sync<Transaction>): Promise<readonly Finding[]> {
  const { database, mappings, tables } = sync;
  const findings: Finding[] = [];
  try {
    const { waiting, parked } = await createChanges(database).count();
    findings.push(await examineTables(sync, waiting));
    findings.push({
      what: "parked",
      isWell: parked === 0,
      says: `${parked} rows are parked; retry them once their fault is mended`,
    });
    const rows = await database.query<{ readonly name: string }>({ text: TRIGGERS[database.dialect], values: [] });
    const watched = new Set(rows.map(({ name }) => name));
    for (const { tableName, readOnly } of mappings.list) {
      const hasTrigger = readOnly || watched.has(tableName);
      const says = hasTrigger
        ? "its changes are captured"
        : "it has no trigger: call handleChange, or install the capture";
      findings.push({ what: `capture of ${tableName}`, isWell: hasTrigger, says });
    }
  } catch (error) {
    findings.push({ what: "state", isWell: false, says: `the database gives no answer: ${(error as Error).message}` });
  }
  for (const { tableName } of mappings.list) {
    const isKnown = findTable(tables, tableName) !== undefined;
    findings.push({
      what: `table ${tableName}`,
      isWell: isKnown,
      says: isKnown ? "it can be read and written" : "events for it are refused: give createAdapter the table",
    });
  }
  return findings;
}

async function examineTables<Transaction>({ database }: Sync<Transaction>, waiting: number): Promise<Finding> {
  const rows = await database.query<{ readonly name: string | null }>({ text: TABLES[database.dialect], values: [] });
  const isThere = typeof rows[0]?.name === "string";
  const missing = "the adapter's tables are not there: they are made when the platform starts";
  return { what: "state", isWell: isThere, says: isThere ? `${waiting} rows wait to be sent` : missing };
}
