import assert from "node:assert/strict";
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { test } from "node:test";
import { filesOnStack } from "@dataspace/service-kit/testing/files-on-stack";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { awarenessMigrations } from "../src/migrations.ts";
import { makeEvent } from "./support/events.ts";
import { startReceiver, startWorker, until } from "./support/real-delivery.ts";
import { startAwareness } from "./support/start-awareness.ts";

test("a webhook crosses at most 10 files: from the endpoint to the queued delivery, and from the worker to the request", async (t) => {
  const ways = { queued: [] as readonly string[], sent: [] as readonly string[] };
  const opened = await openTestDatabase(process.env[TEST_SERVER_SETTING], awarenessMigrations);
  t.after(() => opened[Symbol.asyncDispose]());
  const database: typeof opened = {
    ...opened,
    transaction: (work) =>
      opened.transaction((inner) =>
        work({
          ...inner,
          query: (statement) => {
            if (/insert into delivery\b/.test(statement.text)) ways.queued = filesOnStack();
            return inner.query(statement);
          },
        }),
      ),
  };
  const receiver = await startReceiver((response) => response.writeHead(204).end());
  t.after(() => receiver[Symbol.asyncDispose]());
  const awareness = await startAwareness(t, { database });
  const person = await awareness.createPerson();
  await awareness.ask("/api/subscriptions", { body: { targetUrl: receiver.url }, credential: await person.token() });
  await awareness.ingest(makeEvent());

  const target = new URL(receiver.url).origin;
  const note = (message: unknown): void => {
    const { request } = message as { readonly request: { readonly origin: string } };
    if (String(request.origin) === target) ways.sent = filesOnStack();
  };
  subscribe("undici:request:create", note);
  t.after(() => unsubscribe("undici:request:create", note));
  await using _worker = startWorker(opened);
  await until(() => receiver.received.some(({ headers }) => headers["webhook-type"] === undefined), "the webhook");

  const files = [...new Set([...ways.queued, ...ways.sent])];
  assert.ok(ways.queued.includes("apps/awareness/src/http/ingest-door.ts"), ways.queued.join("\n"));
  assert.ok(ways.sent.includes("apps/awareness/src/delivery/attempt-delivery.ts"), ways.sent.join("\n"));
  assert.ok(files.length <= 10, files.join("\n"));
  t.diagnostic(JSON.stringify(ways));
});
