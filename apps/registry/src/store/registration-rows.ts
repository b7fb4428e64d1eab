import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { ListPage } from "../names/list-page.ts";
import type { Registration } from "../names/registration.ts";

/** The registrations in PostgreSQL. */
export interface RegistrationRows {
  /** Adds a registration. `added` is false when the eName already has one, which is then returned. */
  readonly add: (
    row: Omit<Registration, "id">,
    nowMs: number,
  ) => Promise<{ registration: Registration; added: boolean }>;
  readonly find: (ename: EName) => Promise<Registration | undefined>;
  readonly change: (change: Change, nowMs: number) => Promise<Registration | undefined>;
  readonly remove: (ename: EName) => Promise<boolean>;
  /** In order of registration. */
  readonly list: (page: ListPage) => Promise<readonly Registration[]>;
}

interface Change {
  readonly ename: EName;
  readonly uri: string | undefined;
  readonly vault: string | undefined;
}

const COLUMNS = "id, ename, uri, vault";

/**
 * Makes the store of registrations on a migrated database.
 *
 * Refuses: never by itself; statements reject with the driver's errors. Source: decision X2.
 */
export function createRegistrationRows(database: Queryable): RegistrationRows {
  return {
    add: (row, nowMs) => add(database, row, nowMs),
    find: (ename) => find(database, ename),
    change: (change, nowMs) => changeRow(database, change, nowMs),
    remove: (ename) => remove(database, ename),
    list: (page) => list(database, page),
  };
}

async function add(
  database: Queryable,
  row: Omit<Registration, "id">,
  nowMs: number,
): Promise<{ registration: Registration; added: boolean }> {
  const { rows } = await database.query<Registration>({
    name: "registration-add",
    text: `insert into registration (ename, uri, vault, registered_at_ms, changed_at_ms) values ($1, $2, $3, $4, $4)
           on conflict (ename) do nothing returning ${COLUMNS}`,
    values: [row.ename, row.uri, row.vault, nowMs],
  });
  if (rows[0] !== undefined) return { registration: rows[0], added: true };
  const existing = await find(database, row.ename);
  // Removed between the two statements: the eName is free again.
  return existing === undefined ? add(database, row, nowMs) : { registration: existing, added: false };
}

async function find(database: Queryable, ename: EName): Promise<Registration | undefined> {
  const { rows } = await database.query<Registration>({
    name: "registration-find",
    text: `select ${COLUMNS} from registration where ename = $1`,
    values: [ename],
  });
  return rows[0];
}

async function changeRow(database: Queryable, change: Change, nowMs: number): Promise<Registration | undefined> {
  const { rows } = await database.query<Registration>({
    name: "registration-change",
    text: `update registration set uri = coalesce($2, uri), vault = coalesce($3, vault), changed_at_ms = $4
           where ename = $1 returning ${COLUMNS}`,
    values: [change.ename, change.uri, change.vault, nowMs],
  });
  return rows[0];
}

async function remove(database: Queryable, ename: EName): Promise<boolean> {
  const { rowCount } = await database.query({
    name: "registration-remove",
    text: "delete from registration where ename = $1",
    values: [ename],
  });
  return rowCount > 0;
}

async function list(database: Queryable, page: ListPage): Promise<readonly Registration[]> {
  const { rows } = await database.query<Registration>({
    name: "registration-list",
    text: `select ${COLUMNS} from registration where id > $1 order by id limit $2`,
    values: [page.afterId, page.limit],
  });
  return rows;
}
