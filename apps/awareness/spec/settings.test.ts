import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { test } from "node:test";
import { envToStandaloneConfig } from "../src/config.ts";

const complete = {
  NODE_ENV: "production",
  DATABASE_URL: "postgres://awareness@127.0.0.1/awareness",
  DS_AWARENESS_URL: "https://awareness.example.org",
  DS_REGISTRY_URL: "https://registry.example.org",
  DS_INGEST_SECRET: "an ingest secret of this test 0123456789",
  DS_AWARENESS_SIGNING_KEY_JWK: JSON.stringify(generateKeyPairSync("ed25519").privateKey.export({ format: "jwk" })),
  DS_SECRET: "a service secret of this test 0123456789",
};

test("a complete environment is read, with what is not set at its default [decision P6]", () => {
  const config = envToStandaloneConfig(complete);
  assert.deepEqual(
    [config.port, config.host, config.legacyTokens, config.admins.size],
    [4100, "127.0.0.1", "accept", 0],
  );
  const ename = "@00000000-0000-4000-8000-00000000000A";
  const { admins } = envToStandaloneConfig({ ...complete, DS_AWARENESS_ADMINS: ` ${ename} ,, ` });
  assert.deepEqual([...admins], [ename.toLowerCase()]);
});

test("without an ingest secret it refuses to start, in production and outside [V-EVT-201]", () => {
  for (const NODE_ENV of ["production", "development"]) {
    assert.throws(
      () => envToStandaloneConfig({ ...complete, NODE_ENV, DS_INGEST_SECRET: "" }),
      /DS_INGEST_SECRET: is required/,
    );
  }
  assert.throws(() => envToStandaloneConfig({ ...complete, DS_INGEST_SECRET: "short" }), /DS_INGEST_SECRET: must have/);
});

test("DS_INGEST_SECRETS gives each of several vault services a secret of its own, and stands for DS_INGEST_SECRET [decision E5]", () => {
  const [one, two] = ["the secret of vault one 0123456789abc", "the secret of vault two 0123456789abc"];
  const { DS_INGEST_SECRET: _, ...without } = complete;
  const read = (DS_INGEST_SECRETS: string) => envToStandaloneConfig({ ...without, DS_INGEST_SECRETS });
  const { ingestSecrets, ingestSecret } = read(
    JSON.stringify({ "https://one.example/": one, "HTTPS://TWO.example:443": two }),
  );
  const texts = [...(ingestSecrets ?? [])].map(([origin, secret]) => [origin, secret.reveal()]);
  assert.deepEqual(texts, [
    ["https://one.example", one],
    ["https://two.example", two],
  ]);
  assert.equal(ingestSecret, undefined);
  const wrong: readonly (readonly [unknown, RegExp])[] = [
    ["text", /DS_INGEST_SECRETS: must be a JSON object/],
    [[], /must be a JSON object/],
    [{}, /must be a JSON object/],
    [null, /must be a JSON object/],
    [{ somewhere: one }, /not the origin of a vault service/],
    [{ "https://one.example/path": one }, /not the origin of a vault service/],
    [{ "https://one.example": "short" }, /https:\/\/one.example must have at least 32/],
    [{ "https://one.example": 1 }, /DS_INGEST_SECRETS: the secret of/],
    [{ "https://one.example": one, "https://two.example": one }, /secret of another/],
    [{ "https://one.example": one, "https://one.example/": two }, /twice/],
  ];
  for (const [value, fault] of wrong) {
    assert.throws(
      () => read(JSON.stringify(value)),
      ({ message }: Error) => fault.test(message) && !message.includes(one),
    );
  }
  assert.throws(() => read("{"), /must be a JSON object/);
});

test("every fault of the settings is reported at once [decision P5]", () => {
  const env = {
    NODE_ENV: "production",
    DS_AWARENESS_ADMINS: "somebody",
    DS_AWARENESS_PORT: "x",
    DS_OUTGOING_ALLOW: "?",
  };
  const names = [
    "DATABASE_URL",
    "DS_AWARENESS_URL",
    "DS_REGISTRY_URL",
    "DS_INGEST_SECRET",
    "DS_SECRET",
    ...Object.keys(env).slice(1),
  ];
  assert.throws(
    () => envToStandaloneConfig(env),
    ({ message }: Error) => names.every((name) => message.includes(`${name}: `)),
  );
});
