import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { findReaderLevel, READER_LEVEL } from "./store/reader-level.ts";

/**
 * Checks before serving that this build understands everything that decides access to the stored rows.
 *
 * Refuses: StartupError 78 where a newer build has written rules that this build would ignore.
 * Source: S1 "Versioning" 3; decision V11.
 */
export async function assertReadable(database: Queryable): Promise<void> {
  const level = await findReaderLevel(database);
  if (level <= READER_LEVEL) return;
  throw new StartupError(
    `This database holds records that need a build of reader level ${level}; this one has ${READER_LEVEL} and would open ` +
      "what they lock. Start a newer build.",
  );
}
