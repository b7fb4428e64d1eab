import type { PendingReference } from "../mapping/conversion.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { mayBelongTo } from "../mapping/owner-path.ts";
import { RowFault } from "../mapping/row-fault.ts";
import type { GlobalRef } from "../state/pairs.ts";
import type { Row } from "../sync/table-access.ts";

/** A row would belong to another eName than the owner of the vault that its record is in. */
export class OwnerMismatch extends Error {
  readonly code = "OWNER_MISMATCH";
}

/** Whether a row belongs to the vault's owner shows when a row comes that it names: the event is to come again. */
export class OwnerUnknown extends Error {
  readonly code = "OWNER_UNKNOWN";
}

interface OwnedRow {
  readonly record: GlobalRef;
  readonly row: Row;
  readonly pending: readonly PendingReference[];
}

/**
 * Refuses a row whose owner path names somebody else than the owner of its record's vault, by any of the path's alternatives. The row
 * is the one that the platform reads, so an owner that comes by a relation counts too.
 *
 * Refuses: OwnerMismatch; OWNER_UNKNOWN while a member of a list of owners has no row yet. Source: S3 inbound rule 4; decision A3.
 */
export function assertRowOfOwner(mapping: Mapping, { record, row, pending }: OwnedRow): void {
  if (mayBelongTo(mapping.ownerEnamePath, row, record.owner)) return;
  const lists = mapping.entries.filter(({ form }) => form === "relations");
  const isWaiting = lists.some(({ target }) => pending.some(({ field }) => field === target.text));
  if (isWaiting) throw new OwnerUnknown("A row that the record names is not known yet.");
  throw new OwnerMismatch("The record names another owner than its vault's.");
}

/** Whether an error says that a record cannot be applied as it is, so that trying again at once is useless. Refuses: never. */
export function isAboutRecord(error: unknown): boolean {
  return error instanceof RowFault || error instanceof OwnerUnknown;
}
