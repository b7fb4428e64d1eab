import type { Database, Queryable, Rows, Statement } from "@dataspace/service-kit/postgres/database";

/**
 * A moment around a statement: `before` it is sent, `sent` with its outcome unknown, `after` its answer. In a
 * transaction also `committing`, when everything is written and the commit not sent, and `committed`. `rows`: the
 * number of affected rows, 0 where unknown.
 */
export interface Moment {
  readonly when: "before" | "sent" | "after" | "committing" | "committed";
  readonly statement: Statement;
  readonly rows: number;
}

/** Called for each moment. If it returns a promise, the service waits for it; not at `sent`. */
export type Watch = (moment: Moment) => Promise<void> | undefined;

/**
 * Reports each moment of what a service does with its database. Everything that outlives the service happens there.
 *
 * Refuses: as the database.
 */
export function watchDatabase(database: Database, show: Watch): Database {
  return {
    query: (statement) => query(database, statement, show),
    transaction: async (work) => {
      const run: Statement[] = [];
      const result = await database.transaction(async (transaction) => {
        const made = await work({
          query: (statement) => {
            run.push(statement);
            return query(transaction, statement, show);
          },
        });
        for (const statement of run) await show({ when: "committing", statement, rows: 0 });
        return made;
      });
      for (const statement of run) await show({ when: "committed", statement, rows: 0 });
      return result;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function query<Row>(on: Queryable, statement: Statement, show: Watch): Promise<Rows<Row>> {
  await show({ when: "before", statement, rows: 0 });
  const answer = on.query<Row>(statement);
  void show({ when: "sent", statement, rows: 0 });
  const rows = await answer;
  await show({ when: "after", statement, rows: rows.rowCount });
  return rows;
}
