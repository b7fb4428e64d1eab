import { spawn } from "node:child_process";
import { existsSync, globSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { changeStatementText } from "@dataspace/vault/store/change-statement";
import type { LoadResult } from "./load-process.ts";

/** PostgreSQL's own load program with the vault's create statement. */
export interface Pgbench {
  readonly run: (window: { readonly clients: number; readonly durationMs: number }) => Promise<LoadResult>;
}

/** What the statement is run with. `directory` takes the script; `owner`'s records are all created in `ontology`. */
export interface PgbenchConfig {
  readonly databaseUrl: string;
  readonly directory: string;
  readonly owners: readonly string[];
  readonly ontology: string;
  readonly payloadText: string;
  readonly searchText: string;
}

/** Where pgbench is: on PATH, or where Debian puts it (npm's PostgreSQL comes without). */
export function findPgbench(path: string): string | undefined {
  const places = [...path.split(delimiter), ...globSync("/usr/lib/postgresql/*/bin")];
  return places.map((place) => join(place, "pgbench")).find((file) => existsSync(file));
}

/**
 * Prepares pgbench to create as the vault does: the very text of its statement, prepared once per connection, new ids in
 * ascending order, owners and counter slots at random.
 */
export function preparePgbench(program: string, config: PgbenchConfig): Pgbench {
  const script = join(config.directory, `pgbench-create-${process.pid}.sql`);
  writeFileSync(script, writeCreateScript(config), { mode: 0o644 });
  let base = 1_000_000;
  return {
    run: async ({ clients, durationMs }) => {
      base += 1_000;
      // Twelve digits, so that an id made of a prefix and a number has the length of a UUID.
      const seconds = Math.max(1, Math.round(durationMs / 1_000));
      const variables = { ...constants(config), turn: "0", base: String(base * 100_000) };
      const defines = Object.entries(variables).flatMap(([name, value]) => ["-D", `${name}=${value}`]);
      const options = ["-n", "-M", "prepared", "-c", String(clients), "-j", "2", "-T", String(seconds), "-f", script];
      return readReport(await runProgram(program, [...options, ...defines, config.databaseUrl]), seconds);
    },
  };
}

function constants({ ontology, payloadText, searchText }: PgbenchConfig) {
  return {
    ontology,
    payload: payloadText,
    search: searchText,
    at: new Date().toISOString(),
    hash: "0".repeat(64),
    before: `{"eventId":"00000000-0000-7000-8000-000000000000","id":"00000000-0000-7000-8000-000000000000","dsid":"@00000000-0000-4000-8000-000000000000","schemaId":"${ontology}","data":`,
    key: `,"vaultPublicKey":`,
    after: `,"operation":"create","streamVersion":1,"occurredAt":"2026-03-14T09:26:53.589Z"}`,
    ontologies: `{${ontology}}`,
    acl: `{"acl":["`,
    block: `"],"_acl":null}`,
  };
}

/** Writes the script of one create: the statement of the product with a value for each parameter. Refuses: Error for a parameter without a value. */
export function writeCreateScript({ owners }: Pick<PgbenchConfig, "owners">): string {
  const owner = `('@00000000-0000-4000-8000-' || :owner)`;
  const parameters: readonly string[] = [
    owner,
    `('01a00000-0000-7000-8000-' || :number)`,
    ":ontology",
    ":payload",
    "null",
    "null",
    "1",
    "false",
    "'asserted'",
    ":number",
    ":search",
    ":at",
    `('01b00000-0000-7000-8000-' || :number)`,
    "'create'",
    ":hash",
    "null",
    "null",
    "null",
    "null",
    "null",
    "false",
    "null",
    "false",
    `('01c00000-0000-7000-8000-' || :number)`,
    ":before",
    "null::text",
    ":key",
    ":after",
    `(:acl || ${owner} || :block)`,
    "null::text",
    ":slot",
    ":ontologies",
    "'{1}'",
    "'{0}'",
    "'{800}'",
    "'{0}'",
  ];
  const { text } = changeStatementText({
    creates: true,
    baseline: false,
    restricts: false,
    announces: true,
    spends: false,
    says: "as-before",
  });
  const statement = text.replace(/\$(\d+)/g, (parameter, place) => {
    const value = parameters[Number(place) - 1];
    if (value === undefined) throw new Error(`The bench gives no value for ${parameter} of the create statement.`);
    return value;
  });
  return `\\set turn :turn + 1
\\set number :base + :turn * 64 + :client_id
\\set owner 100000000000 + random(1, ${owners.length})
\\set slot random(0, 15)
${statement.replaceAll("\n", " ")};
`;
}

/** The owners that the script writes for. */
export function pgbenchOwners(count: number): readonly string[] {
  return Array.from({ length: count }, (_, index) => `@00000000-0000-4000-8000-${100_000_000_001 + index}`);
}

function runProgram(program: string, options: readonly string[]): Promise<string> {
  const child = spawn(program, [...options], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding("utf8").on("data", (text: string) => {
      output += text;
    });
  }
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (status) => (status === 0 ? resolve(output) : reject(new Error(`pgbench: ${output}`))));
  });
}

function readReport(report: string, seconds: number): LoadResult {
  const numberAfter = (label: RegExp) => Number(label.exec(report)?.[1] ?? Number.NaN);
  const operations = numberAfter(/number of transactions actually processed: (\d+)/);
  const opsPerSecond = numberAfter(/tps = ([\d.]+) \(without/);
  if (!(operations > 0 && opsPerSecond > 0)) throw new Error(`pgbench reported nothing in ${seconds} s: ${report}`);
  const meanMs = numberAfter(/latency average = ([\d.]+) ms/);
  return { operations, elapsedMs: (operations / opsPerSecond) * 1_000, p50Ms: meanMs, p99Ms: Number.NaN };
}
