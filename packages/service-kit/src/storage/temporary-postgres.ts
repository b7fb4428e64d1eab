import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type EmbeddedPostgres, startEmbeddedPostgres } from "./embedded-postgres.ts";

const CHECKOUT = fileURLToPath(new URL("../../../../", import.meta.url));

/**
 * Starts a PostgreSQL for tests, in a temporary directory that is removed at its end.
 *
 * In: PostgreSQL settings that replace the defaults. Refuses: as `startEmbeddedPostgres`.
 */
export async function startTemporaryPostgres(
  settings: Readonly<Record<string, string>> = {},
): Promise<EmbeddedPostgres> {
  const dataDirectory = await realpath(await mkdtemp(join(tmpdir(), "dataspace-test-")));
  const server = await startEmbeddedPostgres({
    dataDirectory,
    checkoutDirectory: CHECKOUT,
    report: () => undefined,
    settings,
  });
  return {
    url: server.url,
    place: server.place,
    get pid() {
      return server.pid;
    },
    stopped: server.stopped,
    createDatabaseIfMissing: server.createDatabaseIfMissing,
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await rm(server.place, { recursive: true, force: true });
      await rm(dataDirectory, { recursive: true, force: true });
    },
  };
}
