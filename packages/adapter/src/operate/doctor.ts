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

/** Looks at what an adapter needs: its tables, the tables of its mappings, their triggers, and what waits. Refuses: never. */
export async function examine<Transaction>(sync: Sync<Transaction>): Promise<readonly Finding[]> {
  const { database, mappings, tables } = sync;
  const findings: Finding[] = [];
  try {
    const { waiting, parked } = await createChanges(database).count();
    findings.push({ what: "state", isWell: true, says: `${waiting} rows wait to be sent` });
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
