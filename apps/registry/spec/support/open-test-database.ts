import { randomBytes } from "node:crypto";
import type { TestContext } from "node:test";
import { openDatabase } from "@dataspace/service-kit/database";

/** Makes an empty database for one test and drops it afterwards. */
export async function openTestDatabase(t: TestContext): Promise<{ readonly url: string }> {
  const serverUrl = process.env["DATABASE_URL"] ?? "postgres://postgres@127.0.0.1:55991/postgres";
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runOn(serverUrl, `create database ${name}`);
  t.after(() => runOn(serverUrl, `drop database ${name} with (force)`));
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return { url: url.href };
}

async function runOn(url: string, text: string): Promise<void> {
  await using server = openDatabase(
    { url, maxConnections: 1, statementTimeoutMs: 30_000, connectTimeoutMs: 5_000, applicationName: "test" },
    () => {},
  );
  await server.query({ text, values: [] });
}
