import { setTimeout as wait } from "node:timers/promises";
import { createHttpServer } from "../http/http-server.ts";
import type { Log } from "../log.ts";
import type { Queryable } from "../postgres/database.ts";
import { METRICS_TYPE, type Metrics } from "./metrics.ts";
import { measureProcess } from "./process-metrics.ts";
import { findReadinessFault } from "./readiness.ts";
import type { FastifyInstance } from "fastify";

/**
 * What an admin port reports on: the service's server, which does not listen yet, its database, if it has one, and its
 * metrics.
 */
export interface AdminParts {
  /** The service's name, which `/readyz` answers. */
  readonly name: string;
  readonly service: FastifyInstance;
  readonly database?: Queryable;
  readonly metrics: Metrics;
  readonly log: Log;
}

const BODY_LIMIT_BYTES = 1_024;
const PROBE_MS = 1_000;

/**
 * Makes the server of a service's admin port: `GET /metrics` for Prometheus, and `GET /readyz`. Ready (200) means that
 * the database answers within a second, no check of the service finds a fault and the service is not closing. Otherwise
 * the answer is 503 and names the fault.
 *
 * Both answers name the service, so that a wrong port is noticed. Out: a server that does not listen yet. It has no credential, so it must be reachable from this machine only;
 * `listenAdmin` ensures that.
 * Refuses: NOT_READY (503). Source: decision P6.
 */
export function createAdminServer({ name, service, database, metrics, log }: AdminParts): FastifyInstance {
  const app = createHttpServer({
    log,
    bodyLimitBytes: BODY_LIMIT_BYTES,
    cors: { origins: "loopback" },
    allowedHeaders: [],
  });
  let isClosing = false;
  service.addHook("preClose", (done) => {
    isClosing = true;
    done();
  });
  const measuring = measureProcess(metrics);
  app.addHook("onClose", async () => measuring[Symbol.dispose]());
  const findFault = database === undefined ? async () => undefined : createProbe(database);
  app.get("/metrics", async (_request, reply) => reply.type(METRICS_TYPE).send(await metrics.write()));
  app.get("/readyz", async (_request, reply) => {
    const fault = isClosing ? "The service is stopping." : ((await findFault()) ?? findReadinessFault(service));
    if (fault === undefined) return { service: name, status: "ready" };
    return reply.code(503).send({ service: name, error: { code: "NOT_READY", message: fault } });
  });
  return app;
}

/** Asks the database whether it answers. Concurrent callers share one query, so that queries do not pile up. */
function createProbe(database: Queryable): () => Promise<string | undefined> {
  let asking: Promise<string | undefined> | undefined;
  return async () => {
    asking ??= ask(database).finally(() => {
      asking = undefined;
    });
    const late = new AbortController();
    const timeUp = wait(PROBE_MS, "The database does not answer within 1 s.", { signal: late.signal });
    timeUp.catch(() => undefined);
    try {
      return await Promise.race([asking, timeUp]);
    } finally {
      late.abort();
    }
  };
}

async function ask(database: Queryable): Promise<string | undefined> {
  try {
    await database.query({ text: "select 1", values: [] });
    return undefined;
  } catch (error) {
    // Its message may hold addresses and names; the code is PostgreSQL's or the system's.
    const { code } = error as { readonly code?: unknown };
    return `The database cannot be queried${typeof code === "string" ? ` (${code})` : ""}.`;
  }
}
