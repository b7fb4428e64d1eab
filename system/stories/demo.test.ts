import assert from "node:assert/strict";
import { test } from "node:test";
import { createOwner } from "../create-owner.ts";
import type { DemoRecord } from "../demo/demo-data.ts";
import { countMismatches } from "../demo/demo-report.ts";
import { openGraphQLConnection } from "../demo/graphql-connection.ts";
import { readBack } from "../demo/read-back.ts";
import { runDemo } from "../demo/run-demo.ts";
import { type WrittenSet, writeRecords } from "../demo/write-records.ts";
import { askGraphQL } from "./support/ask.ts";
import { startTestSpace } from "./support/start-test-space.ts";

const progressTo = { write: () => true };
const progress = { add: () => undefined, done: () => 0, [Symbol.dispose]: () => undefined };

for (const auth of ["header", "enforced"]) {
  test(`the demo writes countries and 500 cities, reads all of it back equal, twice, with DS_VAULT_AUTH=${auth} (decision P5)`, async () => {
    await using space = await startTestSpace({ DS_VAULT_AUTH: auth });
    const env = { DS_REGISTRY_URL: space.registryUrl, DS_VAULT_URL: space.vaultUrl };
    for (let time = 0; time < 2; time++) {
      const lines: string[] = [];
      const abort = new AbortController().signal;
      const code = await runDemo({ env, cityLimit: 500, abort, print: (text) => lines.push(text), progressTo });
      const output = lines.join("\n");
      assert.equal(code, 0, output);
      assert.match(output, /countries +250 +250 +250 +0 +0\n/);
      assert.match(output, /cities +500 +500 +500 +0 +0\n/);
      assert.match(output, /0 mismatches/);
    }
  });
}

test("the demo's comparison notices a record that was changed and one that is gone (decision P5)", async () => {
  await using space = await startTestSpace();
  const owner = await createOwner(space, undefined);
  const signal = new AbortController().signal;
  using connection = openGraphQLConnection({ vaultUrl: space.vaultUrl, connections: 4, signal });
  const records: readonly DemoRecord[] = Array.from({ length: 230 }, (_, n) => ({ n, name: `row ${n}` }));
  const set = { name: "rows", ontology: "row-v1", records };
  const written: WrittenSet = { set, access: { owner, token: undefined }, indexById: new Map() };
  await writeRecords({ connection, progress }, [written], 4);
  const before = await readBack({ connection, progress }, written);
  assert.deepEqual(before, { equal: 230, different: 0, astray: 0, totalCount: 230 });

  const [changed, removed] = written.indexById.keys();
  const query = `mutation($changed: ID!, $removed: ID!, $input: MetaEnvelopeInput!) {
    updateMetaEnvelope(id: $changed, input: $input) { errors { code } }
    removeMetaEnvelope(id: $removed) { success }
  }`;
  const input = { ontology: "row-v1", payload: { name: "another" } };
  await askGraphQL(space, { owner }, { query, variables: { changed, removed, input } });
  const after = await readBack({ connection, progress }, written);
  assert.deepEqual(after, { equal: 228, different: 1, astray: 1, totalCount: 229 });
  const diary = { created: 0, updated: 0, removed: 0, history: [], faults: [] };
  const sets = [{ name: "rows", written: 230, readBack: after }];
  assert.equal(countMismatches({ stages: [], sets, searches: [], diary }), 3);
});

test("an interrupted demo says how far it got and gives 130 (decision P5)", async () => {
  await using space = await startTestSpace();
  const abort = new AbortController();
  const lines: string[] = [];
  const code = await runDemo({
    env: { DS_REGISTRY_URL: space.registryUrl, DS_VAULT_URL: space.vaultUrl },
    cityLimit: undefined,
    abort: abort.signal,
    print: (text) => {
      lines.push(text);
      if (text.includes("diary")) setTimeout(() => abort.abort(), 300);
    },
    progressTo,
  });
  assert.equal(code, 130);
  assert.match(lines.at(-1) ?? "", /^Interrupted: written [\d,]+ records\.$/);
});

test("a demo whose settings name a data space that does not answer says so with exit code 78 (decision P6)", async () => {
  const env = { DS_REGISTRY_URL: "http://127.0.0.1:9", DS_VAULT_URL: "http://127.0.0.1:9" };
  const abort = new AbortController().signal;
  const run = runDemo({ env, cityLimit: 1, abort, print: () => undefined, progressTo });
  await assert.rejects(run, { name: "StartupError", exitCode: 78, message: /DS_REGISTRY_URL, DS_VAULT_URL/ });
});
