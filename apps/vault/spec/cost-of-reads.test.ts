import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { measureLoopHolds } from "@dataspace/service-kit/testing/loop-holds";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS } from "./support/operations.ts";
import { createPerson } from "./support/people.ts";
import { startVault } from "./support/start-vault.ts";

test("a search for a term that repeats itself costs the same for a long term as for a shorter one [decisions V21, V25]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  for (let n = 0; n < 3; n += 1) await create(vault, owner, { payload: { text: "a".repeat(400_000) } });
  const timeOf = async (length: number, more: object) => {
    const times: number[] = [];
    for (let run = 0; run < 3; run += 1) {
      const filter = { search: { term: `${"a".repeat(length - 1)}b`, ...more } };
      const before = performance.now();
      const { body } = await askGraphQL(vault, owner, DOCUMENTS.list, { filter });
      times.push(performance.now() - before);
      assert.deepEqual(body.data.metaEnvelopes.edges, []);
    }
    return Math.min(...times);
  };
  for (const more of [{}, { fields: ["text"] }, { caseSensitive: true }]) {
    const [short, long] = [await timeOf(24, more), await timeOf(256, more)];
    assert.ok(long < 4 * short + 20, `${JSON.stringify(more)}: ${short} ms, then ${long} ms`);
  }
});

test("a list whose owner has thousands of policies does not hold the event loop while they are read [decision V25]", async () => {
  await using vault = await startVault({ auth: "enforced" });
  const [owner, stranger] = [await createPerson(vault), await createPerson(vault)];
  const grants = Array.from({ length: 60 }, () => ({ ename: `@${randomUUID()}`, perms: 1 }));
  const denials = { enames: [stranger.ename], conditions: [] };
  const policy = (n: number) => ({ v: 1, grants, denials, default_perms: n % 16, require: [[]] });
  const blocks = Array.from({ length: 3_000 }, (_, n) =>
    JSON.stringify({ ...policy(n), grants: [...grants, { ename: `@${randomUUID()}`, perms: 1 }] }),
  );
  await vault.database.query({
    text: `insert into meta_envelope (owner, id, ontology, payload, acl_block, acl_key, version, credential, ord, search)
      select $1, 'shared-' || n, 'note', '{}', block, encode(sha256(convert_to(block, 'UTF8')), 'hex'), 1, 'asserted', n, ''
        from unnest($2::text[]) with ordinality as shared (block, n)`,
    values: [owner.ename, blocks],
  });
  const headers = await stranger.at(owner.ename);
  await askGraphQL(vault, owner.ename, "{ __typename }", {}, headers);
  const holds = measureLoopHolds();
  const { body } = await askGraphQL(vault, owner.ename, DOCUMENTS.list, {}, headers);
  const longestMs = holds.end();
  assert.deepEqual(body.data.metaEnvelopes.edges, []);
  // 50 ms, and what a loaded machine adds; read in one go they take seconds.
  assert.ok(longestMs < 250, `the event loop was held for ${longestMs} ms`);
});
