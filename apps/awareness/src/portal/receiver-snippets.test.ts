import assert from "node:assert/strict";
import { readFile } from "node:fs/promises";
import { test } from "node:test";
import { receiverSnippets } from "./receiver-snippets.ts";

const README = new URL("../../../../packages/receiver/README.md", import.meta.url);

test("the receivers that the portal shows are the programs of the receiver's README, on the path of the endpoint", async () => {
  const blocks = (await readFile(README, "utf8")).split("```");
  for (const { id, code } of receiverSnippets("https://calendar.example/api/webhook")) {
    assert.equal(
      blocks.find((block) => block.startsWith(`ts ${id}\n`)),
      `ts ${id}\n${code}\n`,
      id,
    );
  }
  const hostile = receiverSnippets('https://calendar.example/"); import("x"); //');
  for (const { code } of hostile) assert.doesNotMatch(code, /"\); import\("x"\)/);
});
