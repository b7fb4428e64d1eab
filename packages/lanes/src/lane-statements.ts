import type { LaneTable } from "./lane.ts";

/** A statement with a name of its own, so that a connection prepares it once. */
export interface NamedStatement {
  readonly name: string;
  readonly text: string;
}

/** The statements on one table of lanes. */
export interface LaneStatements {
  /** $1 the time, $2 how many, $3 the end of the lease, $4 its token. */
  readonly claim: NamedStatement;
  /**
   * `complete`, `fail` and `release` take $1, the time, and then arrays: one for each column of the key, then lease,
   * version, next attempt and details (JSON text). Offset (from 1) and length of each attachment follow. The last value is
   * all attachments in one. The statements of `also` become further parts.
   */
  readonly complete: (also: readonly NamedStatement[]) => NamedStatement;
  readonly fail: (also: readonly NamedStatement[]) => NamedStatement;
  readonly release: NamedStatement;
}

/**
 * In the `from` of a standalone statement: its commit does not wait for the disk. A crash of the database's machine can
 * undo a claim, whose holder is fenced, or a completion, which is repeated; neither loses an event. Source: decision
 * E1.
 */
export const WITHOUT_WAITING = "set_config('synchronous_commit', 'off', true) as unwaited";

const COMPLETE = `done_version = greatest(l.done_version, a.version), attempts = 0, lease = null,
         next_at = case when l.tail_version > a.version then $1::timestamptz end`;
const FAIL = "lease = null, next_at = a.next_at";
/** The columns that the further statements read. */
const GIVEN = "a.version, a.details::jsonb as details, a.attachment";
const RELEASE = "lease = null, next_at = a.next_at, attempts = greatest(l.attempts - 1, 0)";

/**
 * Builds the statements for a table of lanes.
 *
 * Whether a lane has more to do is read from the row when it is changed. A sub-select would see the state before a wait
 * for that row. Rows are changed in key order. Refuses: never. Source: decision E1.
 */
export function createLaneStatements<Column extends string>(table: LaneTable<Column>): LaneStatements {
  return {
    claim: claimStatement(table),
    complete: (also) =>
      settleStatement(table, {
        act: "complete",
        settle: table.whenDone === "deleted" ? deleteDone(table) : updateHeld(table, COMPLETE),
        also,
      }),
    fail: (also) => settleStatement(table, { act: "fail", settle: updateHeld(table, FAIL), also }),
    release: settleStatement(table, { act: "release", settle: updateHeld(table, RELEASE), also: [] }),
  };
}

// Time and limit are wrapped to hide them from the planner, so that one plan serves all: the first, along the index of
// due lanes. Locked rows are updated by their place (`ctid`). By key, the planner would read the whole table, because
// it cannot know how few they are.
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

function updateHeld<Column extends string>(table: LaneTable<Column>, set: string): string {
  return `held as (
  update ${table.name} l set ${set}
    from asked a where ${sameKey(table, "a")} and l.lease = a.lease
  returning ${columnsOf(table, "l.")}, ${GIVEN}, l.next_at is not null as is_due)`;
}

// If a lane got a newer tail while this waited for its row, PostgreSQL checks the row again and does not delete it. It
// is then among those to update, which are computed after the deletion.
function deleteDone<Column extends string>(table: LaneTable<Column>): string {
  const held = `${columnsOf(table, "l.")}, ${GIVEN}`;
  return `done as (
  delete from ${table.name} l using asked a
   where ${sameKey(table, "a")} and l.lease = a.lease and l.tail_version <= a.version
  returning ${held}, false as is_due, a.place),
advanced as (
  update ${table.name} l set ${COMPLETE}
    from (select * from asked where place not in (select place from done)) a
   where ${sameKey(table, "a")} and l.lease = a.lease
  returning ${held}, true as is_due, a.place),
held as (
  select * from done union all select * from advanced)`;
}

interface Settling {
  readonly act: string;
  readonly settle: string;
  readonly also: readonly NamedStatement[];
}

// The limit removes nothing: it hides the number of rows from the planner. For a few rows the planner looks lanes up by
// key, as it should for any number. For ten it would read the whole of a table that was small when it planned.
function settleStatement<Column extends string>(
  table: LaneTable<Column>,
  { act, settle, also }: Settling,
): NamedStatement {
  const types = [...table.key.map(({ type }) => type), "uuid", "int", "timestamptz", "text", "int", "int"];
  const arrays = types.map((type, index) => `$${index + 2}::${type}[]`).join(", ");
  const given = `${columnsOf(table)}, lease, version, next_at, details`;
  const further = also.map(({ text }, index) => `,\nalso_${index} as (${text})`).join("");
  const text = `with asked as materialized (
  select ${given}, place, substring($${types.length + 2}::bytea from attached_from for attached) as attachment
    from unnest(${arrays}) with ordinality as a (${given}, attached_from, attached, place)
   where $1::timestamptz is not null
   order by ${columnsOf(table)} limit (select cardinality($2))),
${settle}${further}
select ${columnsOf(table)}, is_due from held, ${WITHOUT_WAITING}`;
  return { text, name: [table.name, act, ...also.map(({ name }) => name)].join(":") };
}

function columnsOf<Column extends string>({ key }: LaneTable<Column>, prefix = ""): string {
  return key.map(({ name }) => `${prefix}${name}`).join(", ");
}

function sameKey<Column extends string>({ key }: LaneTable<Column>, other: string): string {
  return key.map(({ name }) => `l.${name} = ${other}.${name}`).join(" and ");
}
