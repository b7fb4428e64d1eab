import { type Database, openDatabase } from "@dataspace/service-kit/postgres/database";

const LIMITS = { statementTimeoutMs: 600_000, connectTimeoutMs: 10_000 };

/** Opens a database for statements that may take long. */
export function openLarge(url: string, applicationName: string, maxConnections: number): Database {
  return openDatabase({ url, applicationName, maxConnections, ...LIMITS }, () => undefined);
}
