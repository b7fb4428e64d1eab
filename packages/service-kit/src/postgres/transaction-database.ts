import type { Database, Queryable, Statement } from "./database.ts";
import { createInTurn } from "./in-turn.ts";

const MARK: Statement = { text: "savepoint statement", values: [] };
const NEXT_MARK: Statement = { text: "release savepoint statement; savepoint statement", values: [] };
const UNDO: Statement = { text: "rollback to savepoint statement", values: [] };
const PART: Statement = { text: "savepoint part", values: [] };
const PART_DONE: Statement = { text: "release savepoint part", values: [] };
const PART_UNDONE: Statement = { text: "rollback to savepoint part; release savepoint part", values: [] };

/**
 * Makes a transaction look like a database, so that code which expects each of its statements and transactions to stand by
 * itself can run within one: a statement that fails undoes itself alone, a transaction inside is a part that can be undone, and
 * whatever is asked at the same time runs one after the other. Nothing is lasting before the transaction commits.
 *
 * It costs one more round trip for each statement. Inside `transaction` only what `work` is given may be asked.
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
    // It is its transaction's owner who ends it.
    [Symbol.asyncDispose]: async () => undefined,
  };
}

async function runOrUndo<T>(transaction: Queryable, undo: Statement, run: () => Promise<T>): Promise<T> {
  try {
    return await run();
  } catch (error) {
    // Where the connection is lost, so is the transaction; the first error says why.
    await transaction.query(undo).catch(() => undefined);
    throw error;
  }
}

// A part in which a statement failed cannot be kept, whatever its work made of the error: as a commit would, this undoes it.
async function endPart(transaction: Queryable): Promise<void> {
  try {
    await transaction.query(PART_DONE);
  } catch {
    await transaction.query(PART_UNDONE);
  }
}
