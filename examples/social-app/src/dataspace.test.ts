import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const MOST_LINES = 40;

for (const platform of ["express-platform", "fastify-platform"]) {
  test(`what connects ${platform} to vaults is at most ${MOST_LINES} lines of code, imports included`, () => {
    const text = readFileSync(`${import.meta.dirname}/../../${platform}/src/dataspace.ts`, "utf8");
    const lines = text.split("\n").filter((line) => !/^\s*(?:\/\/|\/\*|\*|$)/.test(line));
    assert.ok(lines.length <= MOST_LINES && lines.length > 10, `${lines.length} lines`);
  });
}
