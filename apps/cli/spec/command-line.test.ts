import assert from "node:assert/strict";
import { test } from "node:test";
import { startCommand } from "./support/start-command.ts";

test("dataspace --help names every command and ends with 0", async () => {
  await using help = startCommand(["--help"], {});
  assert.equal(await help.ended, 0);
  for (const name of ["dev", "demo", "vault", "registry", "provisioner", "awareness", "verification"]) {
    assert.match(help.stdout(), new RegExp(`^ +${name}\\b`, "m"));
  }
});

test("an unknown command ends with 64 and tells the one that was meant", async () => {
  await using wrong = startCommand(["registy"], {});
  assert.equal(await wrong.ended, 64);
  assert.match(wrong.stderr(), /unknown command 'registy'.*Did you mean registry\?/s);
});

test("no command, and an option that cannot be read, end with 64", async () => {
  await using none = startCommand([], {});
  assert.equal(await none.ended, 64);
  assert.match(none.stderr(), /Usage: dataspace/);
  await using wrong = startCommand(["demo", "--cities", "many"], {});
  assert.equal(await wrong.ended, 64);
  assert.match(wrong.stderr(), /whole number/);
});

for (const [service, required] of [
  ["vault", ["DATABASE_URL", "REGISTRY_SHARED_SECRET"]],
  ["registry", ["DATABASE_URL", "REGISTRY_SHARED_SECRET"]],
  ["provisioner", ["DATABASE_URL", "REGISTRY_SHARED_SECRET"]],
  ["awareness", ["DATABASE_URL", "DS_INGEST_SECRET", "DS_SECRET", "DS_REGISTRY_URL"]],
] as const) {
  test(`dataspace ${service} without settings ends with 78 and lists every fault by its setting (decision P5)`, async () => {
    await using alone = startCommand([service], {});
    assert.equal(await alone.ended, 78);
    assert.match(alone.stderr(), /^\d settings are wrong:\n/);
    for (const name of required) assert.ok(alone.stderr().includes(name), alone.stderr());
  });
}

test("a DS_ setting that no service knows ends a service with 78 and a guess (decision P5)", async () => {
  await using alone = startCommand(["vault"], { DS_REGISTRY_ULR: "http://127.0.0.1:4321" });
  assert.equal(await alone.ended, 78);
  assert.match(alone.stderr(), /DS_REGISTRY_ULR: there is no such setting; did you mean DS_REGISTRY_URL\?/);
});
