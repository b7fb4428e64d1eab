import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { SoftwareVersion } from "../names/software-version.ts";

/** The recorded releases. */
export interface SoftwareVersionRows {
  /**
   * Records a release; `added` is false when the version is recorded already, and that record is returned. A record
   * that was only asserted is replaced by one that is not.
   */
  readonly add: (
    row: Omit<SoftwareVersion, "id"> & { readonly asserted: boolean },
    nowMs: number,
  ) => Promise<{ readonly recorded: SoftwareVersion; readonly added: boolean }>;
  readonly find: (ename: EName) => Promise<SoftwareVersion | undefined>;
}

const COLUMNS = `id, ename, platform_ename as "platformEname", version, release_tag as "releaseTag", commit_sha as "commitSha"`;

/**
 * Makes the store of releases over a database whose migrations have run.
 *
 * Refuses: never by itself; statements reject with the driver's errors. Source: decision X2.
 */
export function createSoftwareVersionRows(database: Queryable): SoftwareVersionRows {
  const find: SoftwareVersionRows["find"] = async (ename) => {
    const { rows } = await database.query<SoftwareVersion>({
      name: "software-version-find",
      text: `select ${COLUMNS} from software_version where ename = $1`,
      values: [ename],
    });
    return rows[0];
  };
  return {
    find,
    add: async ({ ename, platformEname, version, releaseTag, commitSha, asserted }, nowMs) => {
      const { rows } = await database.query<SoftwareVersion>({
        name: "software-version-add",
        text: `insert into software_version as known
                 (ename, platform_ename, version, release_tag, commit_sha, recorded_at_ms, asserted)
               values ($1, $2, $3, $4, $5, $6, $7)
               on conflict (ename) do update
                 set release_tag = excluded.release_tag, commit_sha = excluded.commit_sha, asserted = false
                 where known.asserted and not excluded.asserted
               returning ${COLUMNS}`,
        values: [ename, platformEname, version, releaseTag, commitSha, nowMs, asserted],
      });
      if (rows[0] !== undefined) return { recorded: rows[0], added: true };
      return { recorded: (await find(ename)) as SoftwareVersion, added: false };
    },
  };
}
