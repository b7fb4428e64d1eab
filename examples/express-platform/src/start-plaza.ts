import { createServer } from "node:http";
import { expressWebhook } from "@dataspace/receiver/express";
import { systemClock } from "@dataspace/service-kit/clock";
import { type Environment, readPlatformConfig } from "@dataspace/social-app/platform-config";
import { logReports } from "@dataspace/social-app/report-log";
import { createSocialApp, type SocialApp } from "@dataspace/social-app/social-app";
import { expressWalletLogin } from "@dataspace/wallet-login/express";
import { serveFetch } from "@dataspace/wallet-login/node-http";
import express, { type Express } from "express";
import type { Log } from "@dataspace/service-kit/log";
import type { Dataspace } from "@dataspace/social-app/dataspace";
import type { SocialStore } from "@dataspace/social-app/store";
import { joinDataspace } from "./dataspace.ts";
import { openDatabase } from "./open-database.ts";
import { createTypeormStore } from "./store.ts";
import type { EntityManager } from "typeorm";

/** A platform that listens at `url` until it is disposed of. */
export interface RunningPlaza extends AsyncDisposable {
  readonly url: string;
  readonly store: SocialStore;
  readonly dataspace: Dataspace<EntityManager>;
}

const NAME = "Plaza";

/** Starts the platform. Refuses: StartupError 78 for settings, port and database; UpstreamError without a data space. */
export async function startPlaza(env: Environment, log: Log): Promise<RunningPlaza> {
  const config = await readPlatformConfig(env, { name: "plaza", defaultPort: 3001 });
  const onError = (error: unknown): void => log.error({ err: error }, "a request failed");
  await using opened = new AsyncDisposableStack();
  const source = await openDatabase(opened, env, config);
  const dataspace = await joinDataspace(source, { ...config, onError, onReport: logReports(log) });
  const adapter = opened.use(dataspace.adapter);
  const store = createTypeormStore(source, {
    onWrite: adapter.wake,
    share: ({ tableName, id, participants }, on) => adapter.handleChange({ tableName, data: { id }, participants }, on),
  });
  const app = createSocialApp(
    { store, clock: systemClock, findProfile: dataspace.findProfile, onError },
    { ...config, name: NAME },
  );
  const server = createServer(createExpress(app, dataspace));
  opened.defer(() => app.door.close());
  opened.defer(() => new Promise<void>((closed) => void server.close(() => closed()).closeAllConnections()));
  server.listen(config.port, config.host);
  await new Promise((listening, failed) => server.once("listening", listening).once("error", failed));
  await dataspace.connect();
  const owned = opened.move();
  return { url: config.publicUrl, store, dataspace, [Symbol.asyncDispose]: () => owned.disposeAsync() };
}

function createExpress({ routes, door }: SocialApp, { receive }: Dataspace<EntityManager>): Express {
  const app = express().disable("x-powered-by");
  app.post("/api/webhook", expressWebhook(receive));
  app.use(expressWalletLogin(door));
  for (const { method, path, answer } of routes) {
    app[method](path, (request, response) => {
      const params = request.params as Readonly<Record<string, string>>;
      serveFetch((call) => answer({ request: call, params }))(request, response);
    });
  }
  return app;
}
