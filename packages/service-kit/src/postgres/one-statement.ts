import pg from "pg";
import type { Statement } from "./database.ts";

/** A statement to run on a connection of its own, and how long all of it may take. */
export interface OneStatementConfig {
  readonly url: string;
  /** Limit of the connecting and, again, of the statement, on this side of the wire: a hung server cannot hold it. */
  readonly timeoutMs: number;
}

/**
 * Runs one statement on a connection of its own, for questions about the server itself.
 *
 * Refuses: rejects with the driver's error.
 */
export async function runOneStatement<Row>(config: OneStatementConfig, statement: Statement): Promise<readonly Row[]> {
  const client = new pg.Client({
    connectionString: config.url,
    connectionTimeoutMillis: config.timeoutMs,
    query_timeout: config.timeoutMs,
    application_name: "dataspace",
  });
  // The answer to a connection that breaks is the rejected statement; without a listener it would end the process.
  client.on("error", () => undefined);
  try {
    await client.connect();
    const result = await client.query(statement as pg.QueryConfig);
    return result.rows as Row[];
  } finally {
    // Not awaited: a hung server never confirms the end.
    client.end().catch(() => undefined);
  }
}
