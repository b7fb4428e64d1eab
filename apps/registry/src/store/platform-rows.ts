import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** The platforms that requested a legacy platform token under their address. */
export interface PlatformRows {
  readonly add: (baseUrl: string, nowMs: number) => Promise<void>;
  /** In alphabetical order. */
  readonly list: () => Promise<readonly string[]>;
}

// Anybody may request a token while they are issued, so the list is bounded: it contains the first thousand.
const MAX_PLATFORMS = 1000;

/**
 * Makes the store of platform addresses on a migrated database.
 *
 * Refuses: never by itself. Source: decision X2.
 */
export function createPlatformRows(database: Queryable): PlatformRows {
  return {
    add: async (baseUrl, nowMs) => {
      await database.query({
        name: "platform-add",
        text: `insert into registry_platform (base_url, first_certified_at_ms)
               select $1, $2 where (select count(*) from registry_platform) < ${MAX_PLATFORMS} on conflict do nothing`,
        values: [baseUrl, nowMs],
      });
    },
    list: async () => {
      const { rows } = await database.query<{ base_url: string }>({
        name: "platform-list",
        text: "select base_url from registry_platform order by base_url",
        values: [],
      });
      return rows.map((row) => row.base_url);
    },
  };
}
