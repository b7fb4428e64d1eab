import assert from "node:assert/strict";
import { test } from "node:test";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { envToVaultConfig } from "../src/config.ts";

const REST = {
  DS_REGISTRY_URL: "https://registry.example.org",
  REGISTRY_SHARED_SECRET: "0123456789abcdefghijklmnopqrstuvwxyz",
  DS_SECRET: "zyxwvutsrqponmlkjihgfedcba9876543210",
  DS_AWARENESS_URL: "http://127.0.0.1:4100",
  DS_INGEST_SECRET: "an ingest secret of this test 0123456789",
};
const KEYS = { DS_FILES_KEY_ID: "id", DS_FILES_SECRET: "a secret" };

const filesOf = (env: object) => envToVaultConfig({ ...REST, ...env }).files;

function faultsOf(env: object): string {
  try {
    filesOf(env);
  } catch (error) {
    assert.ok(error instanceof StartupError);
    assert.equal(error.exitCode, 78);
    return error.message;
  }
  return "";
}

test("files lie in the data directory, in a directory of their own, in a bucket, or nowhere [V-DEC-628]", () => {
  const inData = { kind: "directory", path: "/data/files", setting: "DS_DATA_DIR" };
  assert.deepEqual(filesOf({ DS_DATA_DIR: "/data" }), inData);
  const own = { kind: "directory", path: "/files", setting: "DS_FILES" };
  assert.deepEqual(filesOf({ DS_DATA_DIR: "/data", DS_FILES: "/files" }), own);
  const bucket = filesOf({ DS_FILES: "s3://my-files?endpoint=http://127.0.0.1:7070", ...KEYS });
  const { secret, ...shown } = bucket as Extract<typeof bucket, { kind: "bucket" }>;
  const endpoint = "http://127.0.0.1:7070";
  assert.deepEqual(shown, { kind: "bucket", bucket: "my-files", endpoint, region: "us-east-1", keyId: "id" });
  assert.equal(secret.reveal(), "a secret");
  assert.equal(JSON.stringify(bucket).includes("a secret"), false);
  const elsewhere = filesOf({ DS_FILES: "s3://my-files?endpoint=https://s3.example.org&region=eu-west-3", ...KEYS });
  assert.equal(elsewhere.kind === "bucket" && elsewhere.region, "eu-west-3");
  assert.deepEqual(filesOf({}), { kind: "nowhere" });
});

test("missing or wrong file settings are reported at the start, each by its setting, all at once (decision P5)", () => {
  assert.match(
    faultsOf({ DS_FILES: "s3://files?endpoint=https://s3.example.org" }),
    /DS_FILES_KEY_ID: .*\n.*DS_FILES_SECRET: /,
  );
  for (const DS_FILES of [
    "s3://files",
    "s3://F?endpoint=https://s3.example.org",
    "s3://files/prefix?endpoint=https://s3.example.org",
    "s3://files?endpoint=ftp://s3.example.org",
    "s3://files?endpoint=https://user@s3.example.org",
    "s3://files?endpoint=https://s3.example.org&acl=public",
    "http://s3.example.org/files",
  ]) {
    assert.match(
      faultsOf({ DS_FILES, ...KEYS }),
      /^A setting is wrong:\n {2}DS_FILES: must be a directory or s3:/,
      DS_FILES,
    );
  }
  const all = faultsOf({ NODE_ENV: "production", DS_SECRET: "short", DS_FILES: "s3://files" });
  for (const name of ["DS_VAULT_URL", "DS_FILES", "DS_SECRET"]) assert.match(all, new RegExp(`^ {2}${name}: `, "m"));
});
