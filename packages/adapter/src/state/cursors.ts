import type { Queryable } from "./state-database.ts";

/** How far a long piece of work came, by its name, so that it goes on after an interruption. */
export interface Cursors {
  readonly find: (name: string) => Promise<string | undefined>;
  readonly save: (name: string, position: string) => Promise<void>;
  /** Forgets a position, so that the work starts from the beginning. */
  readonly remove: (name: string) => Promise<void>;
}

/** Opens the cursors. Refuses: the database's errors. */
export function createCursors({ query }: Queryable): Cursors {
  return {
    find: async (name) => {
      const text = "select position from ds_cursor where name = $1";
      const [row] = await query<{ readonly position: string }>({ text, values: [name] });
      return row?.position;
    },
    save: async (name, position) => {
      const text = `insert into ds_cursor (name, position) values ($1, $2)
        on conflict (name) do update set position = excluded.position`;
      await query({ text, values: [name, position] });
    },
    remove: async (name) => {
      await query({ text: "delete from ds_cursor where name = $1", values: [name] });
    },
  };
}
