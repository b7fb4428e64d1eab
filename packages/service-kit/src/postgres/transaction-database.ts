import type { Database, Queryable, Statement } from "./database.ts";
import { createInTurn } from "./in-turn.ts";

const MARK: Statement = { text: "savepoint statement", values: [] };
const NEXT_MARK: Statement = { text: "release savepoint statement; savepoint statement", values: [] };
const UNDO: Statement = { text: "rollback to savepoint statement", values: [] };
const PART: Statement = { text: "savepoint part", values: [] };
const PART_DONE: Statement = { text: "release savepoint part", values: [] };
const PART_UNDONE: Statement = { text: "rollback to savepoint part; release savepoint part", values: [] };

/**
 * Makes a transaction usable as a database, for code that expects its statements and transactions to be independent. A
 * statement that fails rolls back alone. A nested transaction is a part that can roll back. Concurrent statements run
 * one after the other. Nothing is durable before the transaction commits.
 *
 * Each statement costs one more round trip. Inside `transaction`, only the argument of `work` may be used.
 * Refuses: as the statements do. Source: decision V20.
 */
export function createTransactionDatabase(transaction: Queryable): Database {
  const inTurn = createInTurn();
  let marked = false;
  return {
    query: <Row>(statement: Statement) =>
      inTurn("", async () => {
        await transaction.query(marked ? NEXT_MARK : MARK);
        marked = true;
        return runOrUndo(transaction, UNDO, () => transaction.query<Row>(statement));
      }),
    transaction: (work) =>
      inTurn("", async () => {
        await transaction.query(PART);
        const result = await runOrUndo(transaction, PART_UNDONE, () => work(transaction));
        await endPart(transaction);
        return result;
      }),
    // The transaction's owner ends it.
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function runOrUndo<T>(transaction: Queryable, undo: Statement, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // If the connection is lost, so is the transaction; the first error states why.
    await transaction.query(undo).catch(() => undefined);
    throw error;
  }
}

// A part in which a statement failed cannot be committed, even if its work ignored the error: like a commit would, this
// rolls it back.
async function endPart(transaction: Queryable): Promise<void> {
  try {
    await transaction.query(PART_DONE);
  } catch {
    await transaction.query(PART_UNDONE);
  }
}
