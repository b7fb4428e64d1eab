import pg from "pg";
import { StartupError } from "../startup-error.ts";
import type { DatabaseConfig } from "./database.ts";

/** The right to be the only instance of a service on a database, until it is disposed of. */
export type InstanceLock = AsyncDisposable;

const ALREADY_RUNNING = 75;
const KEEP_ALIVE_MS = 10_000;

const TAKE = "select pg_try_advisory_lock(hashtextextended($1, 0)) as taken";
const FIND_HOLDER = `select activity.application_name as "name", activity.backend_start::text as "since"
  from pg_locks as held join pg_stat_activity as activity using (pid)
  where held.locktype = 'advisory' and held.granted and held.objsubid = 1
    and ((held.classid::bigint << 32) | held.objid::bigint) = hashtextextended($1, 0)`;

/**
 * Takes the right to be the only instance of a service, on its own connection. The database releases it when that
 * connection ends, however the process ends.
 *
 * In: `instance` names this one for a second instance's message; `onLost` is called when the connection is lost: the
 * service must stop, since another may then start.
 * Refuses: StartupError 75 that names the running instance. Source: S2 "Operation" (exactly one instance).
 */
export async function takeInstanceLock(
  { service, instance }: { readonly service: string; readonly instance: string },
  config: Pick<DatabaseConfig, "url" | "connectTimeoutMs">,
  onLost: (error: Error) => void,
): Promise<InstanceLock> {
  const client = new pg.Client({
    connectionString: config.url,
    connectionTimeoutMillis: config.connectTimeoutMs,
    application_name: `${service} ${instance}`.slice(0, 63),
    keepAlive: true,
    keepAliveInitialDelayMillis: KEEP_ALIVE_MS,
  });
  let isEnding = false;
  client.on("error", (error) => {
    if (!isEnding) onLost(error);
  });
  await client.connect();
  const key = `dataspace-instance:${service}`;
  const { rows } = await client.query<{ readonly taken: boolean }>(TAKE, [key]);
  if (rows[0]?.taken === true) {
    return {
      [Symbol.asyncDispose]: async () => {
        isEnding = true;
        await client.end();
      },
    };
  }
  const holders = await client.query<{ readonly name: string; readonly since: string }>(FIND_HOLDER, [key]);
  isEnding = true;
  await client.end();
  const [holder] = holders.rows;
  const who = holder === undefined ? "another instance" : `${holder.name} (since ${holder.since})`;
  throw new StartupError(
    `The ${service} service runs already on this database: ${who}. Exactly one instance may run; stop that one first.`,
    ALREADY_RUNNING,
  );
}
