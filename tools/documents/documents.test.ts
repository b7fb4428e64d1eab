// Every code block of every page runs as it is pasted, beside one development stack. The addresses of the usual ports stand
// for those of the stack.
import assert from "node:assert/strict";
import { type SpawnOptions, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { after, before, test } from "node:test";
import { findBareCommands, findBlockFaults, useOfBlock } from "./block-rules.ts";
import { type MarkdownBlock, readBlocks } from "./markdown-blocks.ts";
import { listPages } from "./pages.ts";
import { FREE_PORTS, plainEnvironment, type RunningStack, readUntil, startStack } from "./running-stack.ts";

const root = path.resolve(import.meta.dirname, "../..");
const blocks = listPages(root).flatMap((page) => readBlocks(root, page).blocks);
const TIMEOUT_MS = 120_000;
let stack: RunningStack;
/** The first demo person, whose vault the pages call. */
let owner = "";

before(async () => {
  stack = await startStack(root);
  owner = /^ {2}(@[\da-f-]{36}) {3}/m.exec(stack.screen)?.[1] ?? assert.fail(stack.screen);
});

after(async () => {
  await stack?.[Symbol.asyncDispose]();
});

for (const block of blocks) {
  const use = useOfBlock(block);
  const name = `${block.page}:${block.line} (${block.language})`;
  if (use === "runs") test(`${name} runs as it is pasted`, { timeout: TIMEOUT_MS }, () => runBlock(block));
  if (use === "keeps-running") test(`${name} starts as it is pasted`, { timeout: TIMEOUT_MS }, () => start(block));
  if (use === "data") test(`${name} is JSON`, () => void JSON.parse(block.text));
}

async function runBlock(block: MarkdownBlock): Promise<void> {
  const text = stack.at(block.text);
  if (block.language === "sh") return runShell(text);
  if (block.language === "graphql") return runGraphQL(text);
  const folder = await mkdtemp(path.join(tmpdir(), "dataspace-block-"));
  try {
    await symlink(path.join(root, "node_modules"), path.join(folder, "node_modules"));
    await writeFile(path.join(folder, "package.json"), '{ "type": "module" }');
    const file = path.join(folder, `block.${block.language}`);
    await writeFile(file, text);
    assertEnded(spawnSync(process.execPath, [file], { cwd: folder, env: environment(), encoding: "utf8" }));
  } finally {
    await rm(folder, { recursive: true });
  }
}

function environment(): NodeJS.ProcessEnv {
  return { ...plainEnvironment(), ...stack.env };
}

function runShell(text: string): void {
  const options = { cwd: root, env: environment(), encoding: "utf8", timeout: TIMEOUT_MS } as const;
  assertEnded(spawnSync("/bin/sh", ["-e", "-c", text], options));
}

function assertEnded(ended: {
  readonly status: number | null;
  readonly stdout: string;
  readonly stderr: string;
}): void {
  assert.equal(ended.status, 0, `${ended.stdout}${ended.stderr}`);
  // A service that refuses still ends curl with 0.
  assert.doesNotMatch(ended.stdout, /"errors?":(?!\[\]|null)/, ended.stdout);
}

async function runGraphQL(query: string): Promise<void> {
  const headers = { "content-type": "application/json", "x-ename": owner };
  const body = JSON.stringify({ query });
  const answer = await fetch(`${stack.env["DS_VAULT_URL"]}/graphql`, { method: "POST", headers, body });
  const { errors } = (await answer.json()) as { readonly errors?: unknown };
  assert.equal(errors, undefined, JSON.stringify(errors));
}

/** Starts each command by itself, waits for the address at which it listens, and stops it as Ctrl-C does. */
async function start(block: MarkdownBlock): Promise<void> {
  const directory = await mkdtemp(path.join(tmpdir(), "dataspace-block-"));
  try {
    for (const line of block.text.split("\n").filter((text) => text.trim() !== "")) {
      const env = { ...environment(), ...FREE_PORTS, DS_DATA_DIR: directory };
      // In a group of its own, so that the signal reaches npm and what npm started.
      const options: SpawnOptions = { cwd: root, env, detached: true, stdio: ["ignore", "pipe", "pipe"] };
      const child = spawn("/bin/sh", ["-c", stack.at(line)], options);
      const ended = once(child, "close");
      try {
        await readUntil(child, "http://");
      } finally {
        if (child.exitCode === null && child.pid !== undefined) process.kill(-child.pid, "SIGINT");
        await ended;
      }
    }
  } finally {
    await rm(directory, { recursive: true, force: true });
  }
}

const block = { page: "README.md", line: 3, language: "sh", words: "", text: "" };

test("a block without a language, with one that no test runs, or without a reason not to run is at fault", () => {
  const faults = (changes: Partial<MarkdownBlock>): number => findBlockFaults({ ...block, ...changes }).length;
  assert.equal(faults({}), 0);
  assert.equal(faults({ language: "" }), 1);
  assert.equal(faults({ language: "python" }), 1);
  assert.equal(faults({ language: "python", words: "not-run: it needs a snake" }), 0);
  assert.equal(faults({ words: "not-run" }), 1);
  assert.equal(faults({ text: "node packages/wallet/example.ts\n" }), 1);
  assert.equal(faults({ text: "node scripts/go.mjs packages/wallet/example.ts\n" }), 0);
  assert.equal(findBareCommands("x.md", "Run `node --test 'a/*.test.ts'`.\nIt is `node 26`.").length, 1);
});
