import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import path from "node:path";
import { DatabaseSync } from "node:sqlite";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { createTestSender, makeEvent } from "@dataspace/receiver/test-sender";
import { fromGlobal, toGlobal } from "./mapping/convert.ts";
import { createMappings } from "./mapping/create-mappings.ts";
import { ADA, POSTS } from "./test-platform.ts";

const README = await readFile(path.join(import.meta.dirname, "../README.md"), "utf8");
const MODULES = path.join(import.meta.dirname, "../../../node_modules");

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0);
  await once(server, "listening");
  const { port } = server.address() as { readonly port: number };
  await once(server.close(), "close");
  return port;
}

async function postWhenListening(url: string, init: RequestInit): Promise<Response> {
  for (let triesLeft = 400; ; triesLeft -= 1) {
    try {
      return await fetch(url, init);
    } catch (error) {
      if (triesLeft === 0) throw error;
      await wait(50);
    }
  }
}

test("the README's program starts, writes what a signed webhook says, and refuses a stranger's", async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), "adapter-example-"));
  t.after(() => rm(folder, { recursive: true }));
  const program =
    README.split("```")
      .find((part) => part.startsWith("ts start\n"))
      ?.slice("ts start".length) ?? "";
  await symlink(MODULES, path.join(folder, "node_modules"));
  await writeFile(path.join(folder, "package.json"), '{"type":"module"}');
  await writeFile(path.join(folder, "example.ts"), program);
  const [sender, stranger] = [await createTestSender(), await createTestSender()];
  const port = await findFreePort();
  const env = { ...process.env, REGISTRY_URL: "http://127.0.0.1:9", WEBHOOK_SECRET: sender.secret, PORT: String(port) };
  const child = spawn(process.execPath, ["example.ts"], { cwd: folder, env, stdio: ["ignore", "inherit", "inherit"] });
  const ended = once(child, "exit");
  try {
    const url = `http://localhost:${port}/api/webhook`;
    const event = makeEvent({
      id: "g1",
      dsid: ADA as never,
      schemaId: POSTS,
      operation: "create",
      streamVersion: 1,
      data: { content: "hello" },
    });
    assert.deepEqual(await (await postWhenListening(url, await sender.sign(event))).json(), { status: "applied" });
    assert.equal((await fetch(url, await stranger.sign(event))).status, 401);
  } finally {
    child.kill();
    await ended;
  }
  const database = new DatabaseSync(path.join(folder, "platform.db"));
  assert.equal(database.prepare("select text from notes").get()?.["text"], "hello");
  database.close();
});

test("every entry of the README's table does what its row says", () => {
  const lines = README.split("\n").filter((line) => line.startsWith('| `"'));
  assert.equal(lines.length, 10);
  for (const line of lines) {
    const [, entry = "", row = "", payload = ""] = line.split("|").map((cell) => cell.trim().replaceAll("`", ""));
    const users = { tableName: "users", schemaId: "u", ownerEnamePath: "ename", localToUniversalMap: { name: "name" } };
    const document = { ...users, tableName: "t", localToUniversalMap: JSON.parse(`{${entry}}`) };
    const mapping = createMappings([users, document].map((one) => ({ file: "README", document: one }))).byTable.get(
      "t",
    );
    if (!row.startsWith("{")) continue;
    const asJson = (text: string) => JSON.parse(text.replaceAll(/([{,] ?)(\w+):/g, '$1"$2":'));
    const known = {
      globalId: () => "<global id>",
      fileUri: () => undefined,
      localId: () => "7",
      file: () => undefined,
    };
    assert.deepEqual(toGlobal(mapping!, asJson(row), known).result, asJson(payload), line);
    assert.deepEqual(fromGlobal(mapping!, asJson(payload), known).result, asJson(row), line);
  }
});
