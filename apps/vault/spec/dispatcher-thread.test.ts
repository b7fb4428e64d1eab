import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { text } from "node:stream/consumers";
import { test } from "node:test";
import { createSecret } from "@dataspace/service-kit/secret";
import { startDispatcherThread } from "../src/outgoing/dispatcher-thread.ts";
import { INGEST_SECRET } from "./support/start-ingest-stub.ts";

const NOWHERE = {
  database: {
    url: "postgres://nobody@127.0.0.1:1/none",
    maxConnections: 1,
    statementTimeoutMs: 1_000,
    connectTimeoutMs: 1_000,
    applicationName: "nobody",
  },
  awareness: { url: "http://127.0.0.1:1", secret: createSecret(INGEST_SECRET) },
};

test("the thread's log lines are written by its process, errors with their code, and it ends on request [decision P7]", async () => {
  const logged = Promise.withResolvers<readonly [entry: object, message: string]>();
  const log = { info: () => {}, warn: (...line: [object, string]) => logged.resolve(line), error: () => {} };
  const thread = startDispatcherThread({ log }, NOWHERE);
  const [{ err }, message] = (await logged.promise) as [{ err: { code: string; stack: string } }, string];
  assert.equal(message, "lanes cannot be claimed; retrying");
  assert.equal(err.code, "ECONNREFUSED");
  await thread[Symbol.asyncDispose]();
});

test("a thread that ends by itself ends its process, so that no vault goes on that tells nobody [decision E1]", async () => {
  const module = JSON.stringify(new URL("../src/outgoing/dispatcher-thread.ts", import.meta.url).href);
  const code = `import { subscribe } from "node:diagnostics_channel";
    subscribe("worker_threads", ({ worker }) => worker.once("online", () => worker.terminate()));
    const { startDispatcherThread } = await import(${module});
    const log = { info() {}, warn() {}, error() {} };
    const awareness = { url: "http://127.0.0.1:1", secret: { reveal: () => "" } };
    startDispatcherThread({ log }, { database: ${JSON.stringify(NOWHERE.database)}, awareness });
    setInterval(() => {}, 60_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "-e", code], { stdio: ["ignore", "ignore", "pipe"] });
  const [said, [exitCode]] = await Promise.all([text(child.stderr), once(child, "exit")]);
  assert.match(said, /the thread that hands events over ended by itself/);
  assert.equal(exitCode, 1);
});
