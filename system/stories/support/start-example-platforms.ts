import path from "node:path";
import { type RunningPlaza, startPlaza } from "@dataspace/express-platform/start-plaza";
import { type RunningCorner, startCorner } from "@dataspace/fastify-platform/start-corner";
import { createLog } from "@dataspace/service-kit/log";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import type { Constellation } from "../../constellation.ts";

/** A place where the example platforms run, one start after the other, with databases of their own. */
export interface PlatformHome extends AsyncDisposable {
  readonly startPlaza: () => Promise<RunningPlaza>;
  readonly startCorner: () => Promise<RunningCorner>;
}

const log = createLog({ service: "examples", level: "silent", pretty: false });

/** Makes a home for both platforms at a data space. The ports that the first start takes stay theirs. */
export async function openPlatformHome(space: Constellation): Promise<PlatformHome> {
  const database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const env = {
    DS_REGISTRY_URL: space.registryUrl,
    DS_AWARENESS_URL: space.awarenessUrl,
    DS_DATA_DIR: path.join(space.dataDirectory, "platforms"),
    PLAZA_DATABASE_URL: database.url,
  };
  const opened = new AsyncDisposableStack();
  opened.use(database);
  const ports = { PLAZA_PORT: "0", CORNER_PORT: "0" };
  const startOne = async <Running extends AsyncDisposable & { readonly url: string }>(
    name: keyof typeof ports,
    start: (settings: Readonly<Record<string, string>>, ownLog: typeof log) => Promise<Running>,
  ): Promise<Running> => {
    const running = await start({ ...env, ...ports }, log);
    // A second disposal does nothing.
    opened.use(running);
    ports[name] = new URL(running.url).port;
    return running;
  };
  return {
    startPlaza: () => startOne("PLAZA_PORT", startPlaza),
    startCorner: () => startOne("CORNER_PORT", startCorner),
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  };
}
