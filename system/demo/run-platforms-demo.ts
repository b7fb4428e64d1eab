import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startPlaza } from "@dataspace/express-platform/start-plaza";
import { startCorner } from "@dataspace/fastify-platform/start-corner";
import { createLog } from "@dataspace/service-kit/log";
import type { Environment } from "../service.ts";
import { findDataSpace } from "./find-data-space.ts";
import { tellPlatformsStory } from "./platforms-story.ts";

const EXIT_OTHERWISE = 1;

/**
 * Runs both example platforms, with temporary databases, in the data space that runs here or in one of its own, and shows an edit in
 * one appear in the other.
 *
 * In: `stays` keeps the platforms running until `abort` fires. Out: the exit code, 1 when the platforms differ at the end.
 * Refuses: StartupError; Error when something does not arrive. Source: decision P5.
 */
export async function runPlatformsDemo(run: {
  readonly env: Environment;
  readonly abort: AbortSignal;
  readonly print: (line: string) => void;
  readonly stays: boolean;
}): Promise<number> {
  const { env, abort, print } = run;
  await using opened = new AsyncDisposableStack();
  const space = await findDataSpace(opened, env, { report: print, abort });
  const directory = await mkdtemp(join(tmpdir(), "dataspace-platforms-"));
  opened.defer(() => rm(directory, { recursive: true, force: true }));
  const settings = {
    ...env,
    ...{ DS_REGISTRY_URL: space.registryUrl, DS_AWARENESS_URL: space.awarenessUrl, DS_DATA_DIR: directory },
    ...{ PLAZA_PORT: env["PLAZA_PORT"] ?? "0", CORNER_PORT: env["CORNER_PORT"] ?? "0" },
  };
  const log = createLog({ service: "platforms", level: "warn", pretty: false });
  const plaza = opened.use(await startPlaza(settings, log));
  const corner = opened.use(await startCorner(settings, log));
  print(`Plaza    ${plaza.url}   Express, TypeORM, PostgreSQL`);
  print(`Corner   ${corner.url}   Fastify, Drizzle, SQLite`);
  const { isSame } = await tellPlatformsStory({ plaza, corner, space, nowMs: () => performance.now() }, print);
  if (run.stays) {
    print("Both keep running; stop with Ctrl-C.");
    await new Promise((stopped) => abort.addEventListener("abort", stopped, { once: true }));
  } else print("To use them in a browser: npm run demo -- platforms --stay, or npm run plaza and npm run corner.");
  return isSame ? 0 : EXIT_OTHERWISE;
}
