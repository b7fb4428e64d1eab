import type { Mappings } from "../mapping/mapping.ts";
import { stateTableStatements } from "../state/state-tables.ts";

/** Which tables are watched, in which SQL, and the columns of their ids where these are not `id`. */
export interface TriggerConfig {
  readonly mappings: Mappings;
  readonly dialect: "postgres" | "sqlite";
  readonly idColumns?: Readonly<Record<string, string>>;
}

const NAME = /^[A-Za-z_][A-Za-z0-9_]{0,62}$/;

/** Notes the change of one row; nothing where an event of a vault is just applied. */
const POSTGRES_FUNCTION = `create or replace function ds_note_change() returns trigger language plpgsql as $ds$
declare changed text;
begin
  if current_setting('dataspace.origin', true) = 'inbound' then return null; end if;
  for changed in
    select distinct id from (values (to_jsonb(new) ->> tg_argv[0]), (to_jsonb(old) ->> tg_argv[0])) ids (id)
     where id is not null order by id
  loop
    insert into ds_change (table_name, local_id, tail, next_at)
      values (tg_argv[1], changed, 1, extract(epoch from clock_timestamp()) * 1000)
      on conflict (table_name, local_id) do update set tail = ds_change.tail + 1, fault = null,
        next_at = case when ds_change.lease is null then excluded.next_at else ds_change.next_at end,
        attempts = case when ds_change.lease is null then 0 else ds_change.attempts end;
  end loop;
  return null;
end $ds$`;

/**
 * Writes the statements after which no change of a mapped table is missed, whoever makes it: the adapter's tables, and a trigger for
 * each table that goes out. They may be run again; run them in one transaction, so that two processes that do it take turns.
 *
 * In PostgreSQL a table's name is looked up along the search path, as the platform's own statements do.
 * Refuses: TypeError for a name of a table or column that is not a plain name. Source: decision A3.
 */
export function captureStatements({ mappings, dialect, idColumns = {} }: TriggerConfig): readonly string[] {
  const watched = mappings.list.filter(({ readOnly }) => !readOnly).map(({ tableName }) => named(tableName));
  const idOf = (table: string): string =>
    named((Object.hasOwn(idColumns, table) ? idColumns[table] : undefined) ?? "id");
  const common = dialect === "postgres" ? [POSTGRES_FUNCTION] : [];
  const triggers = watched.flatMap((table) =>
    dialect === "postgres" ? postgresTrigger(table, idOf(table)) : sqliteTriggers(table, idOf(table)),
  );
  return [...stateTableStatements(dialect), ...common, ...triggers];
}

function named(name: string): string {
  if (NAME.test(name)) return name;
  throw new TypeError(`${name} is not a plain name of a table or column, so it gets no trigger.`);
}

function postgresTrigger(table: string, id: string): readonly string[] {
  return [
    `create or replace trigger ds_capture after insert or update or delete on "${table}"
  for each row execute function ds_note_change('${id}', '${table}')`,
  ];
}

function sqliteTriggers(table: string, id: string): readonly string[] {
  const note = (row: "new" | "old"): string => `insert into ds_change (table_name, local_id, tail, next_at)
    values ('${table}', cast(${row}."${id}" as text), 1, unixepoch('subsec') * 1000)
    on conflict (table_name, local_id) do update set tail = tail + 1, fault = null,
      next_at = case when lease is null then excluded.next_at else next_at end,
      attempts = case when lease is null then 0 else attempts end;`;
  const triggers = [
    { name: "insert", event: "insert", also: "", notes: note("new") },
    { name: "update", event: "update", also: "", notes: note("new") },
    { name: "rename", event: "update", also: `old."${id}" is not new."${id}" and`, notes: note("old") },
    { name: "delete", event: "delete", also: "", notes: note("old") },
  ];
  return triggers.flatMap(({ name, event, also, notes }) => [
    `drop trigger if exists ds_capture_${table}_${name}`,
    `create trigger ds_capture_${table}_${name} after ${event} on "${table}"
  when ${also} not exists (select 1 from ds_origin)
begin ${notes} end`,
  ]);
}
