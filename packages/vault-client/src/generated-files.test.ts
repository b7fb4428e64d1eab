import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import path from "node:path";
import { test } from "node:test";
import { rolldown } from "rolldown";
import { generateFiles } from "../generate/generated-files.ts";

test("the generated sources are what the vault's schema and table of errors give", async () => {
  for (const { file, text } of generateFiles()) {
    const hint = `${path.basename(file)} is stale; run node packages/vault-client/generate/main.ts --write`;
    assert.ok((await readFile(file, "utf8")) === text, hint);
  }
});

test("a bundle for browsers has everything in it and asks for nothing of Node", async () => {
  const names = ["vault-clients", "wallet-credential", "session-credential", "platform-credential"];
  const input = names.map((name) => path.join(import.meta.dirname, `${name}.ts`));
  const warnings: unknown[] = [];
  await using bundle = await rolldown({ input, platform: "browser", onLog: (_level, log) => warnings.push(log) });
  const { output } = await bundle.generate({ format: "es" });
  const own = new Set(output.map(({ fileName }) => fileName));
  const outside = output.flatMap((part) =>
    part.type === "chunk" ? part.imports.filter((name) => !own.has(name)) : [],
  );
  assert.deepEqual([outside, warnings], [[], []]);
});
