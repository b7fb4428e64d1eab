import type { LaneTable } from "./lane.ts";

/** A statement under a name of its own, by which a connection prepares it once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** The statements on one table of lanes. */
export interface LaneStatements {
  /** $1 the time, $2 how many, $3 the end of the lease, $4 its token. */
  readonly claim: NamedStatement;
  /**
   * These three: $1 the time, then arrays side by side: each column of the key, lease, version, next attempt, details (JSON text).
   * The given statements become further parts.
   */
  readonly complete: (also: readonly NamedStatement[]) => NamedStatement;
  readonly fail: (also: readonly NamedStatement[]) => NamedStatement;
  readonly release: NamedStatement;
}

/**
 * In the `from` of a statement by itself: its commit does not wait for the disk. What a crash of the database's machine then takes
 * back is a claim, whose holder is fenced off, or a completion, which is repeated: neither is a loss. Source: decision E1.
 */
export const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true) as unwaited";

const COMPLETE = `done_version = greatest(l.done_version, h.version), attempts = 0, lease = null,
         next_at = case when h.has_more then $1::timestamptz end`;
const FAIL = "lease = null, next_at = h.next_at";
const RELEASE = "lease = null, next_at = h.next_at, attempts = greatest(l.attempts - 1, 0)";

/**
 * Writes the statements on a table of lanes.
 *
 * Whether a lane has more to do is read from its locked row: a sub-select would see what was there before a wait for the lock. Rows are
 * locked in the order of the key. Refuses: never. Source: decision E1.
 */
export function createLaneStatements<Column extends string>(table: LaneTable<Column>): LaneStatements {
  return {
    claim: claimStatement(table),
    complete: (also) => settleStatement(table, { act: "complete", settle: completeHeld(table), also }),
    fail: (also) => settleStatement(table, { act: "fail", settle: updateHeld(table, FAIL), also }),
    release: settleStatement(table, { act: "release", settle: updateHeld(table, RELEASE), also: [] }),
  };
}

// Time and limit are wrapped, so that the planner does not see them and one plan serves all: the first along the index of what is due.
// The rows that were locked are updated by their place: by their key the planner, which cannot know how few they are, would rather
// read the whole table.
function claimStatement<Column extends string>(table: LaneTable<Column>): NamedStatement {
  const text = `with due as (
  select ctid, ${columnsOf(table)}, next_at from ${table.name}
   where next_at <= (select $1::timestamptz)
   order by next_at limit (select $2::bigint) for update skip locked),
claimed as (
  update ${table.name} set lease = $4::uuid, next_at = $3::timestamptz, attempts = attempts + 1
   where ctid = any (array(select ctid from due))
  returning ${columnsOf(table)}, tail_version, done_version, lease, attempts)
select claimed.* from claimed join due using (${columnsOf(table)}), ${WITHOUT_WAITING}
 order by due.next_at, ${columnsOf(table)}`;
  return { text, name: `${table.name}:claim` };
}

function completeHeld<Column extends string>(table: LaneTable<Column>): string {
  if (table.whenDone === "kept") return updateHeld(table, COMPLETE);
  const columns = columnsOf(table, "l.");
  return `advanced as (
  update ${table.name} l set ${COMPLETE}
    from held h where ${sameKey(table, "h")} and h.has_more returning ${columns}),
done as (
  delete from ${table.name} l using held h where ${sameKey(table, "h")} and not h.has_more returning ${columns}),
moved as (
  select *, true as is_due from advanced union all select *, false from done)`;
}

function updateHeld<Column extends string>(table: LaneTable<Column>, set: string): string {
  return `moved as (
  update ${table.name} l set ${set}
    from held h where ${sameKey(table, "h")}
  returning ${columnsOf(table, "l.")}, l.next_at is not null as is_due)`;
}

interface Settling {
  readonly act: string;
  readonly settle: string;
  readonly also: readonly NamedStatement[];
}

function settleStatement<Column extends string>(
  table: LaneTable<Column>,
  { act, settle, also }: Settling,
): NamedStatement {
  let next = 2;
  const arrays = table.key.map(({ type }) => `$${next++}::${type}[]`);
  arrays.push(`$${next++}::uuid[]`, `$${next++}::int[]`, `$${next++}::timestamptz[]`, `$${next++}::text[]`);
  const further = also.map(({ text }, index) => `,\nalso_${index} as (${text})`).join("");
  const text = `with asked as (
  select * from unnest(${arrays.join(", ")}) as a (${columnsOf(table)}, lease, version, next_at, details)),
held as (
  select ${columnsOf(table, "l.")}, asked.version, asked.next_at, asked.details::jsonb as details,
         l.tail_version > asked.version as has_more
    from ${table.name} l join asked on ${sameKey(table, "asked")} and l.lease = asked.lease
   where $1::timestamptz is not null
   order by ${columnsOf(table, "l.")} for update of l),
${settle}${further}
select moved.* from moved, ${WITHOUT_WAITING}`;
  return { text, name: [table.name, act, ...also.map(({ name }) => name)].join(":") };
}

function columnsOf<Column extends string>({ key }: LaneTable<Column>, prefix = ""): string {
  return key.map(({ name }) => `${prefix}${name}`).join(", ");
}

function sameKey<Column extends string>({ key }: LaneTable<Column>, other: string): string {
  return key.map(({ name }) => `l.${name} = ${other}.${name}`).join(" and ");
}
