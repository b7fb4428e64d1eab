import { type Database, openDatabase } from "../postgres/database.ts";

/** Returns the URL of another database of a server. */
export function urlOf(serverUrl: string, database: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${database}`;
  return url.href;
}

/** Opens a database for tests, with a limited number of connections. */
export function connectTo(url: string, maxConnections: number): Database {
  const limits = { statementTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
  return openDatabase({ url, maxConnections, ...limits, applicationName: "dataspace-test" }, () => {});
}

/** Runs one standalone statement, for example to create a database. Refuses: the server's errors. */
export async function runOn<Row>(url: string, text: string): Promise<readonly Row[]> {
  await using database = connectTo(url, 1);
  return (await database.query<Row & object>({ text, values: [] })).rows;
}
