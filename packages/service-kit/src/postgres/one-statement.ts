import pg from "pg";
import type { Statement } from "./database.ts";

/** A statement for a separate connection, and its time limit in all. */
export interface OneStatementConfig {
  readonly url: string;
  /** The time limit of the connection and, again, of the statement, on this side: a hung server cannot exceed it. */
  readonly timeoutMs: number;
}

/**
 * Runs one statement on a separate connection, for questions about the server itself.
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
  // A broken connection rejects the statement; without a listener its error would end the process.
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
