import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { type TestContext, test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { installCapture } from "@dataspace/adapter/capture/install-capture";
import { startTestPlatform, TEST_MAPPINGS, type TestPlatform } from "@dataspace/adapter/test-platform";
import { nodeWebhook } from "@dataspace/receiver/node-http";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import type { Constellation } from "../constellation.ts";
import { createOwner } from "../create-owner.ts";
import { startTestSpace } from "./support/start-test-space.ts";

/** Starts a platform that receives the events of one owner's records, with those of its own writes: without a platform token nobody is excluded. */
async function startPlatform(t: TestContext, space: Constellation, owner: string): Promise<TestPlatform> {
  const vaults = createVaultClients({ registryUrl: space.registryUrl });
  const platform = await startTestPlatform("platform", { as: () => vaults, eventsFor: () => [] });
  t.after(() => platform[Symbol.asyncDispose]());
  await installCapture(platform.adapter.sync.database, { mappings: TEST_MAPPINGS });
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, "127.0.0.1", listening));
  t.after(() => void server.close().closeAllConnections());
  const targetUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/api/webhook`;
  server.on("request", nodeWebhook(platform.adapter.createWebhook({ awarenessUrl: space.awarenessUrl, targetUrl })));
  const subscribed = await fetch(`${space.awarenessUrl}/api/subscriptions`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ targetUrl, vaultFilter: [owner] }),
  });
  assert.equal(subscribed.status, 201, await subscribed.text());
  return platform;
}

async function until(what: string, holds: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 400; tries += 1) {
    if (await holds()) return;
    await wait(50);
  }
  assert.fail(`never: ${what}`);
}

test("two platforms keep a person's post and picture the same through the vault and its webhooks, and fall quiet", async (t) => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, undefined);
  const a = await startPlatform(t, space, owner);
  const b = await startPlatform(t, space, owner);
  const texts = async (platform: TestPlatform) =>
    (await platform.run("select text from posts")).map(({ text }) => text);
  const has = (platform: TestPlatform, text: string) => async () => (await texts(platform)).join() === text;

  const photo = `data:image/png;base64,${Buffer.from("a picture").toString("base64")}`;
  await a.run("insert into users (id, ename, name, photo) values ('u1', $1, 'Ada', $2)", owner, photo);
  await a.run("insert into posts (id, text, likes, author_id, owner) values ('p1', 'hello', 1, 'u1', $1)", owner);
  a.adapter.wake();
  await until("the post is at b", has(b, "hello"));
  await until("its author is at b", async () => {
    const [row] = await b.run("select users.photo from posts join users on users.id = posts.author_id");
    return String(row?.["photo"]).startsWith("http");
  });

  await b.run("update posts set text = 'edited at b'");
  b.adapter.wake();
  await until("the edit is at a", has(a, "edited at b"));
  await a.run("update posts set text = 'edited at a'");
  a.adapter.wake();
  await until("the edit is at b", has(b, "edited at a"));

  await a.run("delete from posts");
  a.adapter.wake();
  await until("the removal is at b", has(b, ""));
  await until("both are quiet", async () => {
    const states = await Promise.all([a, b].map(({ adapter }) => adapter.status()));
    return states.every(({ waiting, parked }) => waiting + parked === 0);
  });
  const sent = [a, b].flatMap(({ reports }) => reports.filter(({ kind }) => kind === "sent"));
  const acts = sent.map((report) => ("act" in report ? report.act : "")).sort();
  assert.deepEqual(
    acts.filter((act) => act !== "update"),
    ["create", "create", "remove"],
  );
  // Two edits, and the author of the post where that went first.
  assert.ok(acts.filter((act) => act === "update").length <= 3, acts.join());
  assert.deepEqual([await texts(a), await texts(b)], [[], []]);
});
