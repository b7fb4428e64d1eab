import { noteChange } from "../state/changes.ts";
import type { Queryable } from "../state/state-database.ts";
import { isInbound } from "../sync/origin.ts";
import type { SyncCore } from "../sync/sync.ts";
import { findTable, type Row } from "../sync/table-access.ts";

/** A change of one row, as the platform tells it. */
export interface LocalChange {
  /** The row; `id` is its local id. Where the adapter can read the table, no more than `id` is used. */
  readonly data: Row;
  readonly tableName: string;
  /** eNames that take part, whose vaults get a reference to the record. */
  readonly participants?: readonly string[];
}

const MAX_SNAPSHOT_CHARS = 16_777_216;

/**
 * Notes a change, durably, and returns; it is sent later. Nothing is noted for a table without a mapping or with `readOnly`, nor for
 * what an event of a vault is just changing.
 *
 * In: `on`, the transaction of the change, where there is one. Out: whether something was noted. Refuses: TypeError for data without
 * an id or that JSON cannot hold; the database's errors. Source: S3 "Adapter operations", handleChange.
 */
export async function handleChange(
  sync: SyncCore & { readonly tables: Readonly<Record<string, object>> },
  change: LocalChange,
  on: Queryable,
): Promise<boolean> {
  const { data, tableName, participants } = change;
  const mapping = sync.mappings.byTable.get(tableName);
  if (mapping === undefined || mapping.readOnly || isInbound()) return false;
  const localId = Object.hasOwn(data, "id") ? data["id"] : undefined;
  if ((typeof localId !== "string" && typeof localId !== "number" && typeof localId !== "bigint") || localId === "") {
    throw new TypeError(`handleChange needs data.id, the local id of the row of ${tableName}.`);
  }
  const canRead = findTable(sync.tables, tableName) !== undefined;
  await noteChange(on, {
    table: tableName,
    localId: String(localId),
    nowMs: sync.clock.nowMs(),
    ...(participants === undefined ? {} : { participants }),
    ...(canRead ? {} : { snapshot: toSnapshot(data, tableName) }),
  });
  return true;
}

function toSnapshot(data: Row, tableName: string): string {
  try {
    const text = JSON.stringify(data, toStorable);
    if (text.length <= MAX_SNAPSHOT_CHARS) return text;
  } catch {
    // Said below.
  }
  throw new TypeError(
    `The row of ${tableName} cannot be stored as JSON: give createAdapter the table, so that it is read later.`,
  );
}

/** What JSON has no form for, in the form that a mapping reads. */
function toStorable(this: unknown, key: string, value: unknown): unknown {
  const original = (this as Row)[key];
  if (original instanceof Uint8Array)
    return `data:application/octet-stream;base64,${Buffer.from(original).toString("base64")}`;
  if (typeof value === "bigint") return Number.isSafeInteger(Number(value)) ? Number(value) : String(value);
  const { toDate } = (value ?? {}) as { readonly toDate?: unknown };
  return typeof toDate === "function" ? toDate.call(value) : value;
}
