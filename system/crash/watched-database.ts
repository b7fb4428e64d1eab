import type { Database, Queryable, Rows, Statement } from "@dataspace/service-kit/database";

/**
 * A moment around a statement: `before` it is sent, `sent` with its outcome unknown, `after` its answer, or `committed` where it
 * was part of a transaction. `rows`: how many rows it touched, 0 where that is not known yet.
 */
export interface Moment {
  readonly when: "before" | "sent" | "after" | "committed";
  readonly statement: Statement;
  readonly rows: number;
}

/**
 * Shows each moment of what a service does with its database, in which everything that outlives it happens. Told at once and
 * waited for by nothing: who ends the process there ends it there.
 *
 * Refuses: as the database.
 */
export function watchDatabase(database: Database, show: (moment: Moment) => void): Database {
  return {
    query: (statement) => query(database, statement, show),
    transaction: async (work) => {
      const run: Statement[] = [];
      const result = await database.transaction((transaction) =>
        work({
          query: (statement) => {
            run.push(statement);
            return query(transaction, statement, show);
          },
        }),
      );
      for (const statement of run) show({ when: "committed", statement, rows: 0 });
      return result;
    },
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

async function query<Row>(on: Queryable, statement: Statement, show: (moment: Moment) => void): Promise<Rows<Row>> {
  show({ when: "before", statement, rows: 0 });
  const answer = on.query<Row>(statement);
  show({ when: "sent", statement, rows: 0 });
  const rows = await answer;
  show({ when: "after", statement, rows: rows.rowCount });
  return rows;
}
