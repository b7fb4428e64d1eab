import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import { LINK_IDS } from "@dataspace/platform-auth/link-entry";
import { createWalletPerson, fillVault, grantSubmission } from "../demo/platform-people.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const ROOT = path.join(import.meta.dirname, "../..");
const README = await readFile(path.join(ROOT, "packages/deployment/README.md"), "utf8");
const RELEASE = path.join(ROOT, "examples/certified-platform/release.json");
const COMMAND = "npm run dataspace -- ";

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs a line of the README in a directory, as a shell would. */
function runLine(line: string, cwd: string, env: Readonly<Record<string, string>>): Promise<Outcome> {
  const args = line.slice(COMMAND.length).match(/'[^']*'|\S+/g) ?? [];
  const words = args.map((word) =>
    word.replace(/^'(.*)'$/, "$1").replace(/^\$([A-Z]+)$/, (_, name) => env[name] ?? ""),
  );
  const main = path.join(ROOT, "apps/cli/src/main.ts");
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...words], { cwd }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), stdout, stderr }),
    );
  });
}

test("the commands of the kit's README take a deployment from its key to a call, and each continues where it stopped (decision A1)", async () => {
  await using space = await startTestSpace({ DS_VAULT_AUTH: "enforced" });
  const [author, reviewer, owner] = await Promise.all([1, 2, 3].map(() => createWalletPerson(space)));
  assert.ok(author && reviewer && owner);
  await fillVault(space, owner);
  const cwd = await mkdtemp(path.join(tmpdir(), "dataspace-deployment-"));
  try {
    await writeFile(path.join(cwd, "author.jwk.json"), JSON.stringify(await author.key.exportJwk()));
    await writeFile(path.join(cwd, "release.json"), await readFile(RELEASE, "utf8"));
    const { registryUrl: REGISTRY, authorityUrl: AUTHORITY } = space;
    const env = { REGISTRY, AUTHORITY, AUTHOR: author.ename, OWNER: owner.ename };
    const run = (line: string) => runLine(line, cwd, env);
    const lines =
      README.split(/```sh not-run: .*\n/)[1]
        ?.split("\n```")[0]
        ?.split("\n") ?? [];
    assert.equal(lines.length, 6);
    const [createKey = "", authorise = "", submit = "", fetchIt = "", handshake = "", call = ""] = lines;

    const early = await run(`${submit} --json`);
    assert.equal(early.code, 1);
    assert.equal(JSON.parse(early.stdout).error.code, "STEP_MISSING");
    for (const line of [createKey, authorise]) assert.deepEqual([(await run(line)).code], [0], line);
    const again = await run(createKey);
    assert.match(again.stderr, /^ALREADY_THERE: [^\n]+\n$/);
    const submitted = await run(`${submit} --json`);
    const { submissionId } = JSON.parse(submitted.stdout);
    assert.equal(JSON.parse((await run(`${submit} --json`)).stdout).submissionId, submissionId, "not sent again");
    const undecided = await run(`${fetchIt.replace("60", "0")} --json`);
    assert.equal(JSON.parse(undecided.stdout).error.code, "NOT_DECIDED");
    await grantSubmission(space, reviewer, { submissionId, domains: ["social"] });
    assert.equal((await run(fetchIt)).code, 0);
    const shaken = await run(handshake);
    const shown = shaken.stdout.split("\n").slice(0, 6);
    assert.deepEqual(
      shown.map((line) => line.split(" ").slice(0, 2).join(" ")),
      LINK_IDS.map((id) => `${id} ok`),
    );
    const called = await run(`${call} --json`);
    assert.deepEqual(JSON.parse(called.stdout), { data: { metaEnvelopes: { totalCount: 1 } } });

    const directory = path.join(cwd, ".dataspace-deployment");
    const example = [path.join(ROOT, "examples/certified-platform/src/main.ts"), directory, owner.ename];
    const { stdout } = await promisify(execFile)(process.execPath, example);
    assert.equal(stdout, "Amina Diallo: The rains came early this year.\n");
    const session = JSON.parse(await readFile(path.join(directory, `session-${owner.ename.slice(1)}.json`), "utf8"));
    assert.ok(!shaken.stdout.includes(session.accessToken), "the session is not printed");
    for (const file of await readdir(directory)) {
      assert.equal((await stat(path.join(directory, file))).mode & 0o777, 0o600, file);
    }
  } finally {
    await rm(cwd, { recursive: true, force: true });
  }
});
