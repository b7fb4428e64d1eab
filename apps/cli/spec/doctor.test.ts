import assert from "node:assert/strict";
import { generateKeyPairSync, randomBytes } from "node:crypto";
import { existsSync, writeFileSync } from "node:fs";
import { createServer as createHttpServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTestDatabase, TEST_SERVER_SETTING, type TestDatabase } from "@dataspace/service-kit/testing/test-database";
import { examine } from "../src/doctor/examine.ts";
import type { Finding } from "../src/doctor/finding.ts";
import { chooseServices } from "../src/operate/operated-services.ts";
import { startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

type Environment = Readonly<Record<string, string>>;

const secret = (): string => randomBytes(32).toString("base64url");
const key = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
const [INGEST, SHARED] = [secret(), secret()];
const NAMES = ["registry", "vault", "login"];

let database: TestDatabase;
let stub: { readonly url: string; readonly close: () => void };
let issuer = "";
let clockMs = 0;
let holderStatus = 400;

/** The other parties in one server: registry, awareness service and login connector. */
const answerAll: RequestListener = (request, response) => {
  const isHolder = [INGEST, SHARED].some((text) => request.headers.authorization === `Bearer ${text}`);
  response.setHeader("date", new Date(Date.now() + clockMs).toUTCString());
  if (request.method === "POST") return void response.writeHead(isHolder ? holderStatus : 401).end();
  if (request.url === "/.well-known/openid-configuration") return void response.end(JSON.stringify({ issuer }));
  response.end(JSON.stringify({ keys: [{ kty: "EC", x: key.x }] }));
};

before(async () => {
  database = await openTestDatabase(process.env[TEST_SERVER_SETTING]);
  const sources = chooseServices(NAMES, {}).flatMap(({ migrations }) => migrations);
  for (const source of sources) await migrate(database, source);
  const server = createHttpServer(answerAll);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  server.unref();
  stub = { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, close: () => server.close() };
  issuer = stub.url;
});
after(async () => {
  stub.close();
  await database[Symbol.asyncDispose]();
});

async function examined(
  replaced: Environment = {},
  instruments: { readonly freeBytes?: () => number; readonly nodeVersion?: string } = {},
): Promise<readonly Finding[]> {
  await using files = await makeTemporaryDirectory();
  const env = {
    DATABASE_URL: database.url,
    DS_REGISTRY_URL: stub.url,
    DS_AWARENESS_URL: stub.url,
    DS_OIDC_ISSUER: stub.url,
    REGISTRY_SHARED_SECRET: SHARED,
    REGISTRY_SIGNING_KEY_JWK: JSON.stringify(key),
    DS_OIDC_SIGNING_KEY_JWK: JSON.stringify(key),
    DS_SECRET: secret(),
    DS_INGEST_SECRET: INGEST,
    DS_FILES: files.path,
    DS_REGISTRY_PORT: "0",
    DS_VAULT_PORT: "0",
    DS_OIDC_PORT: "0",
    ...replaced,
  };
  const freeBytes = instruments.freeBytes ?? (() => 2 ** 40);
  return await examine(chooseServices(NAMES, env), env, {
    fetch,
    freeBytes,
    nowMs: Date.now,
    nodeVersion: instruments.nodeVersion ?? process.versions.node,
  });
}

async function faultsOf(...given: Parameters<typeof examined>): Promise<string> {
  const faults = (await examined(...given)).filter(({ status }) => status === "fault");
  for (const { fix, message } of faults) assert.ok(fix, message);
  return faults.map(({ check, message }) => `${check}: ${message}`).join("\n");
}

test("a sound data space has no fault, and each check says what it found", async () => {
  const findings = await examined();
  assert.deepEqual(
    findings.filter(({ status }) => status === "fault"),
    [],
  );
  const checks = new Set(findings.filter(({ status }) => status === "ok").map(({ check }) => check));
  assert.deepEqual([...checks].toSorted(), [
    "clock",
    "database",
    "disk",
    "files",
    "issuer",
    "keys",
    "node",
    "registry",
    "schema",
    "secret",
    "settings",
  ]);
});

test("the doctor names the cause of each of 14 staged breakages, and nothing else", async () => {
  const away = new URL(database.url);
  away.hostname = "127.0.0.1";
  away.port = "9";
  away.search = "";
  const unknown = new URL(database.url);
  unknown.pathname = "/no_such_database";
  const other = generateKeyPairSync("ec", { namedCurve: "P-256" }).privateKey.export({ format: "jwk" });
  await using files = await makeTemporaryDirectory();
  writeFileSync(join(files.path, "file"), "");
  const taken = createServer();
  await new Promise<void>((resolve) => taken.listen({ port: choosePort(), host: "127.0.0.1" }, resolve));
  taken.unref();
  const { port } = taken.address() as AddressInfo;
  const staged: readonly (readonly [Environment, RegExp, (() => number)?])[] = [
    [{ DATABASE_URL: away.href }, /^database: No PostgreSQL answers at 127\.0\.0\.1:9/],
    [{ DATABASE_URL: unknown.href }, /^database: DATABASE_URL: the server has no database of that name/],
    [
      { DS_REGISTRY_URL: "http://127.0.0.1:65534" },
      /^registry: The registry at http:\/\/127\.0\.0\.1:65534 is not reachable: ECONNREFUSED/,
    ],
    [{ DS_VAULT_PORT: String(port) }, new RegExp(`^port: DS_VAULT_PORT: port ${port} is taken by another program`)],
    [{}, /^disk: 1 MB are free/, () => 1_048_576],
    [{ DS_FILES: join(files.path, "file", "below") }, /^files: Files cannot be written .*ENOTDIR/],
    [
      { REGISTRY_SIGNING_KEY_JWK: JSON.stringify(other) },
      /^keys: .*jwks\.json does not publish the public part of REGISTRY_SIGNING_KEY_JWK/,
    ],
    [
      { DS_OIDC_SIGNING_KEY_JWK: JSON.stringify(other) },
      /^keys: .*\/jwks does not publish the public part of DS_OIDC_SIGNING_KEY_JWK/,
    ],
    [{ DS_INGEST_SECRET: secret() }, /^secret: DS_INGEST_SECRET is not the one/],
    [{ REGISTRY_SHARED_SECRET: secret() }, /^secret: REGISTRY_SHARED_SECRET is not the one/],
    [{ DS_SECRET: "short" }, /^settings: DS_SECRET: must have at least 32/],
  ];
  for (const [replaced, expected, freeBytes] of staged) {
    const faults = await faultsOf(replaced, freeBytes === undefined ? {} : { freeBytes });
    assert.match(faults, expected);
    assert.equal(faults.split("\n").length, 1, faults);
  }
  taken.close();

  issuer = "https://login.example.org";
  assert.match(await faultsOf(), /^issuer: .*names the issuer "https:\/\/login\.example\.org"/);
  issuer = stub.url;

  clockMs = 3_600_000;
  assert.match(await faultsOf(), /^clock: This clock differs from the registry's by (?:3599|3600|3601) s/);
  clockMs = 0;

  const text =
    "insert into schema_migration (service, number, name, checksum) values ('vault', 999, '999-later.sql', '')";
  await database.query({ text, values: [] });
  assert.match(
    await faultsOf(),
    /^schema: The database is newer than this build: it has migration 999-later\.sql of vault/,
  );
  await database.query({ text: "delete from schema_migration where number = 999", values: [] });
  const rename = (from: string, to: string) =>
    database.query({
      text: `update schema_migration set service = '${to}' where service = '${from}' and number = 3`,
      values: [],
    });
  await rename("login", "away");
  assert.match(await faultsOf(), /^schema: The database lacks migrations of login: 003-spent-tokens\.sql/);
  await rename("away", "login");
});

function choosePort(): number {
  return 20_000 + Math.floor(Math.random() * 10_000);
}

test("an answer that proves nothing about a secret leaves its check skipped, and a server without a key set is a fault", async () => {
  for (const status of [200, 404, 429, 503]) {
    holderStatus = status;
    const secrets = (await examined()).filter(({ check }) => check === "secret");
    assert.deepEqual(new Set(secrets.map((each) => each.status)), new Set(["skipped"]), String(status));
  }
  holderStatus = 422;
  assert.equal(await faultsOf(), "");
  holderStatus = 400;
  const page = createHttpServer((_request, response) => void response.end("<h1>It works</h1>"));
  await new Promise<void>((resolve) => page.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  assert.match(
    await faultsOf({ DS_REGISTRY_URL: url }),
    /^registry: .* is not reachable: it answered 200 without a key set/,
  );
  page.closeAllConnections();
  page.close();
});

test("the doctor creates no directory, needs the Node of this build, and reports a port that it may not use", async () => {
  await using place = await makeTemporaryDirectory();
  const absent = join(place.path, "not", "yet");
  const findings = await examined({ DS_FILES: absent });
  assert.equal(findings.find(({ check }) => check === "files")?.status, "ok");
  assert.equal(existsSync(join(place.path, "not")), false);
  assert.match(await faultsOf({}, { nodeVersion: "25.9.0" }), /^node: Node\.js 25\.9\.0 is too old/);
  const port = String(choosePort());
  assert.match(
    await faultsOf({ DS_HOST: "203.0.113.1", DS_VAULT_PORT: port }),
    new RegExp(`^port: DS_VAULT_PORT: port ${port} cannot be used \\(EADDRNOTAVAIL\\)`),
  );
});

test("no finding shows a password that an address carries", async () => {
  const address = `http://operator:hid@den@${new URL(stub.url).host}`;
  const names = ["DATABASE_URL", "DS_REGISTRY_URL", "DS_AWARENESS_URL", "DS_OIDC_ISSUER"];
  const findings = await examined(Object.fromEntries(names.map((name) => [name, address])));
  assert.ok(findings.some(({ status }) => status === "fault"));
  assert.doesNotMatch(JSON.stringify(findings), /hid|den@/);
});

test("dataspace doctor prints a line for each check, exits with 1 for a fault, and with --json gives each finding", async () => {
  const settings = {
    DATABASE_URL: "postgresql://u:a-pass-word@127.0.0.1:9/none",
    DS_OIDC_ISSUER: stub.url,
    DS_OIDC_PORT: "0",
  };
  await using text = startCommand(["doctor"], settings);
  assert.equal(await text.ended, 1, text.stderr());
  assert.match(text.stdout(), /^fault +settings: DS_REGISTRY_URL: is required/m);
  assert.match(text.stdout(), /^fault +database: No PostgreSQL answers[^\n]*\n +fix: Start it/m);
  await using json = startCommand(["doctor", "login", "--json"], settings);
  assert.equal(await json.ended, 1);
  const findings = JSON.parse(json.stdout()) as Finding[];
  assert.ok(findings.some(({ check, status }) => check === "database" && status === "fault"));
  assert.doesNotMatch(`${text.stdout()}${json.stdout()}`, /a-pass-word/);
  await using config = startCommand(["config", "login"], settings);
  assert.equal(await config.ended, 78);
  assert.match(config.stdout(), /^DATABASE_URL=postgresql:\/\/<redacted>@127\.0\.0\.1:9\/none {2}# environment$/m);
  assert.match(config.stdout(), /^DS_OIDC_TOKEN_TTL_SECONDS=300 {2}# default$/m);
});
