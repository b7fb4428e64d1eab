import pg from "pg";
import { StartupError } from "../startup-error.ts";
import { runOneStatement } from "./one-statement.ts";

const OLDEST_VERSION_NUM = 150_000;
const SCHEMES = /^postgres(ql)?:\/\//;

/** A server's facts about itself. */
export interface ServerFacts {
  readonly version: string;
  readonly versionNum: number;
  readonly encoding: string;
  readonly fsync: boolean;
  readonly checksums: boolean;
  readonly readOnly: boolean;
}

const FACTS = `select split_part(current_setting('server_version'), ' ', 1) as version,
  current_setting('server_version_num')::int as "versionNum",
  current_setting('server_encoding') as encoding,
  current_setting('fsync')::boolean as fsync,
  current_setting('data_checksums')::boolean as checksums,
  pg_is_in_recovery() as "readOnly"`;

/** Temporary faults: not reachable yet, starting, stopping, full. Any other fault is a wrong setting. */
const PASSING = new Set([
  ...["ECONNREFUSED", "ECONNRESET", "EPIPE", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH", "ENOENT", "ENOTFOUND"],
  ...["EAI_AGAIN", "57P01", "57P02", "57P03", "53300"],
]);
const PASSING_MESSAGES = /timeout|terminated/i;

const WRONG_SETTING: Readonly<Record<string, string>> = {
  "28P01": "the server refuses the user name or the password",
  "28000": "the server refuses this user",
  "3D000": "the server has no database of that name; create it first",
  "42501": "this user may not use that database",
};

/**
 * Asks the server behind DATABASE_URL for its facts.
 *
 * Out: its facts, or, if it does not answer at present, the reason in words.
 * Refuses: StartupError (78) naming DATABASE_URL, never the password, for an invalid address, a refused user or
 * password, an unknown database, a certificate that does not verify. Source: decisions P4, P6.
 */
export async function askServer(
  url: string,
  timeoutMs: number,
): Promise<{ readonly facts: ServerFacts } | { readonly silence: string }> {
  assertAddress(url);
  try {
    const [facts] = await runOneStatement<ServerFacts>({ url, timeoutMs }, { text: FACTS, values: [] });
    if (facts === undefined) return { silence: "it gave an empty answer" };
    return { facts };
  } catch (error) {
    const { code = "", message } = error as NodeJS.ErrnoException;
    if (PASSING.has(code) || (code === "" && PASSING_MESSAGES.test(message))) return { silence: code || message };
    const noPassword =
      message.includes("password must be a string") && "the server asks for a password, the address has none";
    throw new StartupError(`DATABASE_URL: ${WRONG_SETTING[code] ?? (noPassword || withoutPassword(message, url))}.`);
  }
}

/**
 * Checks that a server is suitable.
 *
 * Refuses: StartupError (78) naming DATABASE_URL for a version below 15, an encoding other than UTF8, a standby, and,
 * in production, a server that does not write through to disk. Source: decision P4.
 */
export function assertFitServer(facts: ServerFacts, production: boolean): void {
  const faults = [
    facts.versionNum < OLDEST_VERSION_NUM && `its PostgreSQL is version ${facts.version}; 15 or newer is needed`,
    facts.encoding !== "UTF8" && `its encoding is ${facts.encoding}; make the database with encoding UTF8`,
    facts.readOnly && "it is a standby that cannot be written; name the primary server",
    production && !facts.fsync && "fsync is off, so a power cut would lose data; set fsync = on in the server",
  ].filter((fault) => fault !== false);
  if (faults.length > 0) throw new StartupError(faults.map((fault) => `DATABASE_URL: ${fault}.`).join("\n"));
}

/** The host, port and database of an address, for display. Refuses: never, for an accepted address. */
export function addressWithoutUser(url: string): string {
  const { host, port, database } = new pg.Client({ connectionString: url });
  return `${host}:${port}, database ${database}`;
}

function assertAddress(url: string): void {
  const shape = "postgresql://user:password@host:5432/database";
  if (!SCHEMES.test(url)) throw new StartupError(`DATABASE_URL: it must look like ${shape}.`);
  try {
    new pg.Client({ connectionString: url });
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    const fault =
      code === "ENOENT" || code === "EACCES" ? "a file that it names cannot be read" : `it is not an address`;
    throw new StartupError(`DATABASE_URL: ${fault}; it must look like ${shape}.`);
  }
}

function withoutPassword(message: string, url: string): string {
  const { password } = new pg.Client({ connectionString: url });
  const text = typeof password === "string" && password !== "" ? message.replaceAll(password, "<redacted>") : message;
  return text.replace(/\.$/, "");
}
