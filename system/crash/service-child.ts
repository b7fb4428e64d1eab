// A vault or an awareness service in a separate process, wired as in the constellation, on a database that reports its
// statements and a clock that may run fast. It ends or stops itself at the step for which it is armed.
import { writeSync } from "node:fs";
import { flushCompileCache } from "node:module";
import { setTimeout as wait } from "node:timers/promises";
import { listen } from "@dataspace/service-kit/http/listen";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import type { Environment, ServiceRecipe } from "../service.ts";
import { createFastClock, type FastTime } from "./fast-clock.ts";
import { createIsReached, STEPS, type Step } from "./steps.ts";
import { type Watch, watchDatabase } from "./watched-database.ts";

/** The service's configuration; `env` contains its complete settings, its port among them. */
export interface ServiceStart {
  readonly service: "vault" | "awareness";
  readonly env: Environment;
  readonly databaseUrl: string;
  readonly time: FastTime;
  readonly statementTimeoutMs?: number | undefined;
}

/** At which step a service ends or stops itself, how many times it passes it before, and how long it is held there. */
export interface Arming {
  readonly step: string;
  readonly passes: number;
  readonly afterMs: number;
}

/** Reported by the process itself, so that it is known even when the process ends in the next instruction. */
const REPORTS_FD = 4;
/** Each loads only its own service's code. */
const RECIPES: Readonly<Record<ServiceStart["service"], () => Promise<ServiceRecipe>>> = {
  vault: async () => (await import("../services/vault.ts")).vaultRecipe,
  awareness: async () => (await import("../services/awareness.ts")).awarenessRecipe,
};
const LIMITS = { maxConnections: 6, connectTimeoutMs: 5_000 };
/** A process is held at a step in the middle of a statement. */
const LONG_STATEMENT_MS = 10_000;

let watch: Watch = () => undefined;

process.on("message", (message: { readonly start: ServiceStart } | { readonly arm: Arming }) => {
  if ("arm" in message) watch = createWatch(message.arm);
  else void start(message.start);
});
process.once("disconnect", () => process.exit(0));

function createWatch({ step: name, passes, afterMs }: Arming): Watch {
  const step = STEPS.find((other) => other.name === name);
  if (step === undefined) throw new Error(`there is no step ${name}`);
  const isReached = createIsReached(step);
  let left = passes;
  return (moment) => {
    if (!isReached(moment)) return undefined;
    left -= 1;
    if (left >= 0) return undefined;
    watch = () => undefined;
    return end(step, afterMs);
  };
}

/** The next statement is never sent; work that wrongly does not wait for it has time to show. */
async function end({ name, signal }: Step, afterMs: number): Promise<void> {
  await wait(afterMs);
  writeSync(REPORTS_FD, `${name}\n`);
  process.kill(process.pid, signal);
}

async function start({
  service,
  env,
  databaseUrl,
  time,
  statementTimeoutMs = LONG_STATEMENT_MS,
}: ServiceStart): Promise<void> {
  const log = createLog({ service, level: "warn", pretty: false });
  const limits = { ...LIMITS, statementTimeoutMs };
  const opened = openDatabase({ url: databaseUrl, applicationName: `crash-${service}`, ...limits }, (error) =>
    log.warn({ err: error }, "an idle connection was lost"),
  );
  // Like a service waiting for its storage, which may be restarting.
  while (!(await isAnswering(opened))) await wait(50);
  const recipe = await RECIPES[service]();
  const { build } = await recipe.load();
  const { app, host, port } = await build({
    env,
    base: {
      database: watchDatabase(opened, (moment) => watch(moment)),
      clock: createFastClock(time),
      log,
      metrics: createMetrics({ log, monotonicMs: () => performance.now() }),
    },
    databaseConfig: undefined,
    cors: { origins: "loopback", allowHosts: [] },
  });
  await listen(app, { host, port, portSetting: recipe.portSetting });
  process.send?.("ready");
  // A killed process would not save its compile cache, and compiling is half of a start.
  flushCompileCache();
}

async function isAnswering(database: Pick<ReturnType<typeof openDatabase>, "query">): Promise<boolean> {
  return database.query({ text: "select 1", values: [] }).then(
    () => true,
    () => false,
  );
}
