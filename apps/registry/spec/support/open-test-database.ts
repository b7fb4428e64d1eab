import { randomBytes } from "node:crypto";
import { mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, type TestContext } from "node:test";
import { fileURLToPath } from "node:url";
import { openDatabase } from "@dataspace/service-kit/database";
import { startEmbeddedPostgres } from "@dataspace/service-kit/embedded-postgres";

const CHECKOUT_DIRECTORY = fileURLToPath(new URL("../../../../", import.meta.url));

let serverUrl: Promise<string> | undefined;
const opened = new AsyncDisposableStack();
// Here and not where the server is started: a hook set while a test runs belongs to that test.
after(() => opened.disposeAsync());

/** Makes an empty database for one test and drops it afterwards, on DATABASE_URL or else on a server of this file's own. */
export async function openTestDatabase(t: TestContext): Promise<{ readonly url: string }> {
  serverUrl ??= Promise.resolve(process.env["DATABASE_URL"] || startServer());
  const server = await serverUrl;
  const name = `test_${randomBytes(6).toString("hex")}`;
  await runOn(server, `create database ${name}`);
  t.after(() => runOn(server, `drop database ${name} with (force)`));
  const url = new URL(server);
  url.pathname = `/${name}`;
  return { url: url.href };
}

async function startServer(): Promise<string> {
  const dataDirectory = await realpath(await mkdtemp(join(tmpdir(), "dataspace-test-")));
  opened.defer(() => rm(dataDirectory, { recursive: true, force: true }));
  const config = { dataDirectory, checkoutDirectory: CHECKOUT_DIRECTORY, report: () => {} };
  return opened.use(await startEmbeddedPostgres(config)).url;
}

async function runOn(url: string, text: string): Promise<void> {
  const config = {
    url,
    maxConnections: 1,
    statementTimeoutMs: 30_000,
    connectTimeoutMs: 5_000,
    applicationName: "test",
  };
  await using server = openDatabase(config, () => {});
  await server.query({ text, values: [] });
}
