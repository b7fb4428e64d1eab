import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { readdir } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { promisify } from "node:util";
import { type RunningCommand, startCommand } from "./support/start-command.ts";
import { makeTemporaryDirectory } from "./support/temporary-directory.ts";

const run = promisify(execFile);
const FREE_PORTS = {
  DS_REGISTRY_PORT: "0",
  DS_VAULT_PORT: "0",
  DS_AWARENESS_PORT: "0",
  DS_OIDC_PORT: "0",
  DS_AUTHORITY_PORT: "0",
  DS_SANDBOX_PORT: "0",
};
const READY = "Stop with Ctrl-C";

function startDev(directory: string, settings: Readonly<Record<string, string>> = {}): RunningCommand {
  return startCommand(["dev"], { DS_DATA_DIR: directory, ...FREE_PORTS, ...settings });
}

/** The commands that the screen suggests, as they would be pasted into a shell. */
function findCommands(screen: string): readonly string[] {
  return screen.split("\n").flatMap((line) => /^ +((?:curl|DS_REGISTRY_URL).*)$/.exec(line)?.[1] ?? []);
}

test("npm start prints one plain screen off a terminal, and each command on it works when pasted (decisions P3, P5)", async () => {
  await using directory = await makeTemporaryDirectory();
  await using dev = startDev(directory.path);
  await dev.shows(READY);
  const screen = dev.stdout();
  assert.match(screen, /registry +http:\/\/127\.0\.0\.1:\d+/);
  assert.match(screen, /vault +http:\/\/127\.0\.0\.1:\d+/);
  assert.match(screen, /embedded, durable/);
  assert.match(screen, /DEVELOPMENT STACK/);
  assert.doesNotMatch(screen, /[\u2500-\u257f]|localhost/);
  assert.ok(!screen.includes("\u001b"));

  const [read = "", whois = "", demo = "", provision = "", create = "", readByAnother = ""] = findCommands(screen);
  const answer = JSON.parse((await run("/bin/sh", ["-c", read])).stdout);
  assert.equal(answer.data.metaEnvelopes.totalCount, 2);
  const { dsid, keyBindingCertificates } = JSON.parse((await run("/bin/sh", ["-c", whois])).stdout);
  assert.ok(screen.includes(dsid));
  assert.equal(keyBindingCertificates.length, 1);
  assert.match(demo, /npm run demo$/);

  const made = JSON.parse((await run("/bin/sh", ["-c", provision])).stdout);
  assert.equal(made.success, true);
  const created = JSON.parse((await run("/bin/sh", ["-c", create])).stdout);
  const { id } = created.data.createMetaEnvelope.metaEnvelope;
  const root = path.resolve(import.meta.dirname, "../../..");
  const seen = JSON.parse((await run("/bin/sh", ["-c", readByAnother], { cwd: root })).stdout);
  const found = seen.data.metaEnvelopes.edges.map((edge: { node: { id: string } }) => edge.node.id);
  assert.ok(found.includes(id), "the other person reads the record");
  const [, reader = "", third = ""] = screen.match(/@[\da-f-]{36}(?= {3})/g) ?? [];
  const readByThird = readByAnother.replace(`token ${reader}`, `token ${third}`);
  assert.notEqual(readByThird, readByAnother);
  assert.doesNotMatch((await run("/bin/sh", ["-c", readByThird], { cwd: root })).stdout, new RegExp(id));

  dev.kill("SIGINT");
  assert.equal(await dev.ended, 0);
  assert.equal(dev.stderr(), "");
});

test("a second npm start on the same data directory ends with 75 and names the first one's pid; a code is still issued (decisions P6, V17) [V-HTTP-024]", async () => {
  await using directory = await makeTemporaryDirectory();
  await using first = startDev(directory.path);
  await first.shows(READY);
  await using second = startDev(directory.path);
  assert.equal(await second.ended, 75);
  assert.match(second.stderr(), new RegExp(`process ${first.pid}\\b`));
  assert.doesNotMatch(second.stderr(), /port/);

  await using issue = startCommand(["verification", "issue"], { DS_DATA_DIR: directory.path });
  assert.equal(await issue.ended, 0, issue.stderr());
  const code = issue.stdout().trim();
  const vaultUrl = /vault +(http:\S+)/.exec(first.stdout())?.[1];
  const registryUrl = /registry +(http:\S+)/.exec(first.stdout())?.[1];
  const provision = async (): Promise<number> => {
    const { token } = (await (await fetch(`${registryUrl}/entropy`)).json()) as { token: string };
    const body = { registryEntropy: token, namespace: crypto.randomUUID(), verificationId: code };
    const headers = { "content-type": "application/json" };
    return (await fetch(`${vaultUrl}/provision`, { method: "POST", headers, body: JSON.stringify(body) })).status;
  };
  assert.equal(await provision(), 200);
  assert.equal(await provision(), 409);
});

// A start that has locked its directory, one that creates its database, and one that has it.
for (const file of [/^lock\.holder/, /^postgres\.new/, /^postgres-socket$/]) {
  test(`Ctrl-C while npm start is at ${file.source} ends it with 0, and the next start works (decision P6)`, {
    timeout: 60_000,
  }, async () => {
    await using directory = await makeTemporaryDirectory();
    await using dev = startDev(directory.path);
    while (!(await readdir(directory.path)).some((name) => file.test(name))) await wait(5);
    dev.kill("SIGINT");
    assert.equal(await dev.ended, 0, dev.stderr());
    await using next = startDev(directory.path);
    await next.shows(READY);
  });
}

test("verification issue refuses beside a data space that runs in another directory, and starts no database", async () => {
  await using theirs = await makeTemporaryDirectory();
  await using own = await makeTemporaryDirectory();
  await using dev = startDev(theirs.path);
  await dev.shows(READY);
  const port = /vault +http:\/\/127\.0\.0\.1:(\d+)/.exec(dev.stdout())?.[1] ?? "";
  await using issue = startCommand(["verification", "issue"], { DS_DATA_DIR: own.path, DS_VAULT_PORT: port });
  assert.equal(await issue.ended, 75);
  assert.match(
    issue.stderr(),
    /^A data space runs at .* with another data directory than .*\. Set DS_DATA_DIR .*\.\n$/,
  );
  assert.deepEqual(
    (await readdir(own.path)).filter((name) => name.startsWith("postgres")),
    [],
  );
});

test("a demo whose data space goes away ends with one sentence and 75, without a stack trace", async () => {
  await using directory = await makeTemporaryDirectory();
  await using dev = startDev(directory.path);
  await dev.shows(READY);
  const [registry, vault] = ["registry", "vault"].map(
    (name) => new RegExp(`${name} +(http:\\S+)`).exec(dev.stdout())?.[1],
  );
  await using demo = startCommand(["demo"], { DS_REGISTRY_URL: registry ?? "", DS_VAULT_URL: vault ?? "" });
  await demo.shows("written");
  dev.kill("SIGKILL");
  assert.equal(await demo.ended, 75);
  assert.match(demo.stderr(), /stopped answering .*Start the data space with npm start and run the demo again\.\n$/);
  assert.doesNotMatch(demo.stderr(), /\n +at /);
});

test("a code can be issued while nothing runs on the data directory (decision V17)", async () => {
  await using directory = await makeTemporaryDirectory();
  const settings = { DS_DATA_DIR: directory.path, DS_VAULT_PORT: "0" };
  await using issue = startCommand(["verification", "issue"], settings);
  assert.equal(await issue.ended, 0, issue.stderr());
  assert.match(issue.stdout(), /^[0-9a-f-]{36}\n$/);
});
