import type { Database, Queryable, Statement } from "@dataspace/service-kit/postgres/database";

/** A database whose statements are noted, so that what they cost can be asked again. */
export interface Watch {
  readonly seenAs: (database: Database) => Database;
  /** Runs a request and gives the statements that it sent. */
  readonly during: (run: () => Promise<unknown>) => Promise<readonly Statement[]>;
}

/** Makes a watch over the statements of one vault. */
export function createWatch(): Watch {
  let noted: Statement[] = [];
  return {
    seenAs: (database) => ({
      ...database,
      query: (statement) => {
        noted.push(statement);
        return database.query(statement);
      },
    }),
    during: async (run) => {
      noted = [];
      await run();
      return noted;
    },
  };
}

interface PlanNode {
  readonly "Relation Name"?: string;
  readonly "Node Type": string;
  readonly Alias?: string;
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly "Rows Removed by Index Recheck"?: number;
  readonly Plans?: readonly PlanNode[];
}

const OF_RECORDS = new Set(["meta_envelope", "change", "shared_log", "array_reader"]);
/** The statements of lists, counts and logs by what they read; the look-up of a vault and of keys is left out. */
const READS = /from (?:meta_envelope|change|array_reader|shared_log)/;

/** The rows of an owner's tables that statements looked at, those thrown away included, and those that a search was asked of. */
export async function workOf(
  database: Queryable,
  statements: readonly Statement[],
): Promise<{ readonly rows: number; readonly searched: number }> {
  const work = { rows: 0, searched: 0 };
  for (const { text, values } of statements.filter(({ text }) => READS.test(text))) {
    const explained = await database.query<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>({
      text: `explain (analyze, format json) ${text}`,
      values,
    });
    walk((explained.rows[0] as { "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] })["QUERY PLAN"][0].Plan, work);
  }
  return work;
}

function walk(node: PlanNode, work: { rows: number; searched: number }): void {
  const removed = (node["Rows Removed by Filter"] ?? 0) + (node["Rows Removed by Index Recheck"] ?? 0);
  const looked = Math.round((node["Actual Rows"] + removed) * node["Actual Loops"]);
  if (OF_RECORDS.has(node["Relation Name"] ?? "")) work.rows += looked;
  if (node["Node Type"] === "Subquery Scan" && node.Alias === "seen") work.searched += looked;
  for (const child of node.Plans ?? []) walk(child, work);
}
