import assert from "node:assert/strict";
import { test } from "node:test";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { runPlatformsDemo } from "../demo/run-platforms-demo.ts";
import { startTestSpace } from "./support/start-test-space.ts";

test("the demo of the platforms shows profiles, a post, 20 edits and a chat of one platform at the other, with the times (decision P5)", async () => {
  await using space = await startTestSpace();
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const env = {
    DS_REGISTRY_URL: space.registryUrl,
    DS_VAULT_URL: space.vaultUrl,
    DS_AWARENESS_URL: space.awarenessUrl,
    PLAZA_DATABASE_URL: database.url,
  };
  const lines: string[] = [];
  const print = (line: string): void => void lines.push(line);
  const code = await runPlatformsDemo({ env, abort: new AbortController().signal, print, stays: false });
  const output = lines.join("\n");
  assert.equal(code, 0, output);
  assert.match(output, /^Plaza +http:\/\/127\.0\.0\.1:\d+ /m);
  assert.match(output, /p50 \d+ ms, p90 \d+ ms, slowest \d+ ms/);
  assert.match(output, /Kofi reads it at Corner after \d+ ms/);
  assert.match(output, /Both platforms show the same posts/);
});
