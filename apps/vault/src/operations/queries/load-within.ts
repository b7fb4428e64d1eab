import type { BoundedRows } from "../../store/bounded-rows.ts";
import type { ReadBudget } from "../read-budget.ts";

/** Rows of at most so many bytes are loaded before they are counted. */
const FEW_BYTES = 1_048_576;

/**
 * Loads rows within a request's budget: a few bytes at once, more only after they were taken from it.
 *
 * Refuses: RESULT_TOO_LARGE, BUSY, with nothing loaded. Source: decision V25.
 */
export async function loadWithin<Row>(
  budget: Pick<ReadBudget, "take">,
  read: (mostBytes: number) => Promise<BoundedRows<Row>>,
): Promise<readonly Row[]> {
  let taken = 0;
  // Rows that grow between two reads are read again.
  for (;;) {
    const { bytes, rows } = await read(Math.max(taken, FEW_BYTES));
    if (bytes > taken) {
      budget.take(bytes - taken);
      taken = bytes;
    }
    if (rows !== undefined) return rows;
  }
}
