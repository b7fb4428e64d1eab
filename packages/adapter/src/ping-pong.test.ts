import assert from "node:assert/strict";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { installCapture } from "./capture/install-capture.ts";
import { ADA, startTestPlatform, TEST_MAPPINGS, type TestPlatform } from "./test-platform.ts";
import { createTestVaults } from "./test-vaults.ts";

const EDITS = 1_000;
const ROWS = 10;
const RESTART_EVERY = 100;

test("1,000 edits between two platforms, with restarts: no echo, no duplicate, both databases equal to the vault", async (t) => {
  const directory = await mkdtemp(path.join(tmpdir(), "adapter-ping-pong-"));
  t.after(() => rm(directory, { recursive: true }));
  const vaults = createTestVaults();
  const open = async (name: string): Promise<TestPlatform> => {
    const received = vaults.eventsFor(name).length;
    const platform = await startTestPlatform(name, vaults, { path: path.join(directory, `${name}.db`), received });
    await installCapture(platform.adapter.sync.database, { mappings: TEST_MAPPINGS });
    return platform;
  };
  let both = [await open("a"), await open("b")] as const;
  const quiet = async (): Promise<void> => {
    for (const platform of both) await platform.settle();
    while ((await both[0].hear()) + (await both[1].hear()) > 0);
  };
  for (let at = 0; at < ROWS; at += 1) {
    await both[0].run("insert into posts (id, text, likes, owner) values ($1, $2, 0, $3)", `p${at}`, `post ${at}`, ADA);
  }
  await quiet();
  const random = createSeededRandom(20_261_123);
  for (let edit = 0; edit < EDITS; edit += 1) {
    const platform = both[edit % 2]!;
    const rows = await platform.run("select id from posts order by created_at, text");
    const id = rows[Math.floor(random() * rows.length)]?.["id"] as string;
    if (random() < 0.5) await platform.run("update posts set text = $1 where id = $2", `edit ${edit}`, id);
    else await platform.run("update posts set likes = $1 where id = $2", edit + 1, id);
    await quiet();
    if (edit % RESTART_EVERY !== RESTART_EVERY - 1) continue;
    for (const one of both) await one[Symbol.asyncDispose]();
    both = [await open("a"), await open("b")];
  }
  const rowsOf = async (platform: TestPlatform) =>
    (await platform.run("select text, likes from posts")).map(({ text, likes }) => `${text} ${likes}`).sort();
  const records = vaults
    .records(ADA)
    .map(({ parsed }) => `${parsed["content"]} ${(parsed["stats"] as { likes: number }).likes}`);
  assert.deepEqual(await rowsOf(both[0]), records.sort());
  assert.deepEqual(await rowsOf(both[1]), records.sort());
  assert.equal(vaults.writes(), ROWS + EDITS, "every write is an edit: none is an echo");
  for (const platform of both) await platform[Symbol.asyncDispose]();
});
