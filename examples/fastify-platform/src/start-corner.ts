import type { DatabaseSync } from "node:sqlite";
import { sqliteQueryable } from "@dataspace/adapter/state/sqlite-state";
import { fastifyWebhook } from "@dataspace/receiver/fastify";
import { systemClock } from "@dataspace/service-kit/clock";
import { type Environment, readPlatformConfig } from "@dataspace/social-app/platform-config";
import { logReports } from "@dataspace/social-app/report-log";
import { createSocialApp } from "@dataspace/social-app/social-app";
import { fastifyWalletLogin } from "@dataspace/wallet-login/fastify";
import { toRequest } from "@dataspace/wallet-login/node-http";
import { type FastifyInstance, fastify } from "fastify";
import type { Log } from "@dataspace/service-kit/log";
import type { Dataspace } from "@dataspace/social-app/dataspace";
import type { SocialRoute } from "@dataspace/social-app/social-route";
import type { SocialStore } from "@dataspace/social-app/store";
import { joinDataspace } from "./dataspace.ts";
import { openDatabase } from "./open-database.ts";
import { createDrizzleStore } from "./store.ts";

/** A platform that listens at `url` until it is disposed of. */
export interface RunningCorner extends AsyncDisposable {
  readonly url: string;
  readonly store: SocialStore;
  readonly dataspace: Dataspace<DatabaseSync>;
}

const NAME = "Corner";

/** Starts the platform. Refuses: StartupError 78 for settings and port; SQLite's errors; UpstreamError without a data space. */
export async function startCorner(env: Environment, log: Log): Promise<RunningCorner> {
  const config = await readPlatformConfig(env, { name: "corner", defaultPort: 3002 });
  const onError = (error: unknown): void => log.error({ err: error }, "a request failed");
  await using opened = new AsyncDisposableStack();
  const database = await openDatabase(opened, config);
  const dataspace = await joinDataspace(database, { ...config, onError, onReport: logReports(log) });
  const adapter = opened.use(dataspace.adapter);
  const store = createDrizzleStore(database, {
    onWrite: adapter.wake,
    share: ({ tableName, id, participants }, on) =>
      adapter.handleChange({ tableName, data: { id }, participants }, sqliteQueryable(on)),
  });
  const app = createSocialApp(
    { store, clock: systemClock, findProfile: dataspace.findProfile, onError },
    { ...config, name: NAME },
  );
  const server = fastify({ forceCloseConnections: true });
  opened.defer(() => server.close());
  await server.register(fastifyWebhook(dataspace.receive, "/api/webhook"));
  await server.register(fastifyWalletLogin(app.door));
  await server.register((scope) => serveRoutes(scope, app.routes));
  await server.listen({ host: config.host, port: config.port });
  await dataspace.connect();
  const owned = opened.move();
  return { url: config.publicUrl, store, dataspace, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

async function serveRoutes(scope: FastifyInstance, routes: readonly SocialRoute[]): Promise<void> {
  scope.removeAllContentTypeParsers();
  // The routes read forms themselves, with their own limit.
  scope.addContentTypeParser("*", (_request, _payload, done) => done(null));
  for (const { method, path, answer } of routes) {
    scope[method](path, async ({ raw, params }, reply) => {
      const named = params as Readonly<Record<string, string>>;
      return reply.send(await answer({ request: toRequest(raw), params: named }));
    });
  }
}
