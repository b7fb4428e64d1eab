import assert from "node:assert/strict";
import { test } from "node:test";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Caller } from "../src/caller/caller.ts";
import { createReadBudgets } from "../src/operations/read-budget.ts";
import { askGraphQL } from "./support/ask.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const MIB = 1_048_576;

/** A vault whose database counts the characters of payloads that leave it. */
async function startCounted(): Promise<{ readonly vault: TestVault; readonly loaded: () => number }> {
  let characters = 0;
  const seenAs = (database: Database): Database => ({
    ...database,
    query: async (statement) => {
      const found = await database.query(statement);
      for (const row of found.rows as readonly { payloadText?: string | null }[]) {
        characters += row.payloadText?.length ?? 0;
      }
      return found as never;
    },
  });
  const vault = await startVault({}, { seenAs });
  return {
    vault,
    loaded: () => {
      const before = characters;
      characters = 0;
      return before;
    },
  };
}

/** Stores so many MetaEnvelopes of so many characters, as creates would have left them, each with that many versions. */
async function fill(
  vault: TestVault,
  owner: string,
  { count = 1, characters = MIB - 64, versions = 1 },
): Promise<void> {
  const payload = JSON.stringify({ text: "x".repeat(characters) });
  await vault.database.query({
    text: `with filled as (
      insert into meta_envelope (owner, id, ontology, payload, version, credential, ord, search)
      select $1, 'large-' || n, 'note', $3, $4, 'asserted', n, chr(31) || 'pear' || chr(31) from generate_series(1, $2) as n
      returning id)
      insert into change (owner, record_id, version, log_id, operation, ontology, payload, envelope_hash, credential, at)
      select $1, id, version, gen_random_uuid(), 'update', 'note', $3, '', 'asserted', now()
        from filled, generate_series(1, $4) as version`,
    values: [owner, count, payload, versions],
  });
}

for (const [name, query] of [
  ["getAllEnvelopes", "{ getAllEnvelopes { value } }"],
  ["findMetaEnvelopesByOntology", '{ findMetaEnvelopesByOntology(ontology: "note") { parsed } }'],
  ["searchMetaEnvelopes", '{ searchMetaEnvelopes(ontology: "note", term: "pear") { id } }'],
  ["a page of the largest records", "{ metaEnvelopes(first: 100) { edges { node { parsed } } } }"],
] as const) {
  test(`${name} over 64 MiB is RESULT_TOO_LARGE, and no payload leaves the database [decisions V13, V25]`, async () => {
    const { vault, loaded } = await startCounted();
    await using _ = vault;
    const owner = await vault.createOwner();
    await fill(vault, owner, { count: 80 });
    loaded();
    for (let run = 0; run < 4; run += 1) {
      assert.equal(errorCodeOf(await askGraphQL(vault, owner, query)), "RESULT_TOO_LARGE");
      assert.equal(loaded(), 0);
    }
  });
}

test("a history page over 64 MiB is RESULT_TOO_LARGE, and no version leaves the database [decision V25]", async () => {
  const { vault, loaded } = await startCounted();
  await using _ = vault;
  const owner = await vault.createOwner();
  await fill(vault, owner, { versions: 80 });
  const id = "large-1";
  loaded();
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 100 })), "RESULT_TOO_LARGE");
  // What decides over access is the record itself.
  assert.ok(loaded() <= MIB);
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.history, { id, first: 10 });
  assert.equal(body.data.metaEnvelopeHistory.edges.length, 10);
});

test("aliases of one page share the request's 64 MiB [decision V25]", async () => {
  const { vault, loaded } = await startCounted();
  await using _ = vault;
  const owner = await vault.createOwner();
  await fill(vault, owner, { count: 10 });
  const page = "metaEnvelopes(first: 100) { edges { node { parsed } } }";
  loaded();
  const aliases = Array.from({ length: 10 }, (_, n) => `a${n}: ${page}`).join(" ");
  assert.equal(errorCodeOf(await askGraphQL(vault, owner, `{ ${aliases} }`)), "RESULT_TOO_LARGE");
  assert.ok(loaded() <= 64 * MIB);
  const repeated = Array.from({ length: 10 }, (_, n) => `a${n}: parsed`).join(" ");
  const wide = await askGraphQL(vault, owner, `{ metaEnvelopes { edges { node { ${repeated} } } } }`);
  assert.equal(errorCodeOf(wide), "RESULT_TOO_LARGE");
});

test("a default page of the largest records comes back as it was stored, also as Envelopes [decision V25]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const payload = { text: '"\\ü\u2028'.repeat(60_000), list: [1, [2, { a: null }]], raw: 'raw:0"0' };
  const ids = [await create(vault, owner, { payload }), await create(vault, owner, { payload: { n: 1 } })];
  for (let run = 0; run < 4; run += 1) {
    const query =
      "{ metaEnvelopes { edges { node { id parsed envelopes { fieldKey value } } } } getAllEnvelopes { value } }";
    const { body } = await askGraphQL(vault, owner, query);
    const nodes = body.data.metaEnvelopes.edges.map(({ node }: { node: object }) => node);
    const envelopes = Object.entries(payload).map(([fieldKey, value]) => ({ fieldKey, value }));
    assert.deepEqual(nodes, [
      { id: ids[0], parsed: payload, envelopes },
      { id: ids[1], parsed: { n: 1 }, envelopes: [{ fieldKey: "n", value: 1 }] },
    ]);
    assert.deepEqual(
      body.data.getAllEnvelopes.map(({ value }: { value: unknown }) => value),
      [...Object.values(payload), 1],
    );
  }
  await fill(vault, owner, { count: 18 });
  const { body } = await askGraphQL(vault, owner, DOCUMENTS.list);
  assert.equal(body.data.metaEnvelopes.edges.length, 20);
});

test("a list of more Envelopes than fit a turn of the event loop is whole and in order [decision V25]", async () => {
  await using vault = await startVault();
  const owner = await vault.createOwner();
  const payload = Object.fromEntries(Array.from({ length: 900 }, (_, n) => [`k${n}`, n]));
  for (let n = 0; n < 3; n += 1) await create(vault, owner, { payload });
  const expected = [0, 1, 2].flatMap(() => Object.values(payload));
  for (let run = 0; run < 4; run += 1) {
    const { body } = await askGraphQL(vault, owner, "{ getAllEnvelopes { value } }");
    assert.deepEqual(
      body.data.getAllEnvelopes.map(({ value }: { value: unknown }) => value),
      expected,
    );
  }
});

test("one caller holds a quarter of what is held for all, and gives it back with its answers [decision V25]", () => {
  const caller = (owner: string) =>
    ({ credential: "asserted", subject: null, platform: null, owner }) as unknown as Caller;
  const open = createReadBudgets({ perRequest: 64, perCaller: 64, all: 100 });
  const [first, second, other] = [open(caller("@a")), open(caller("@a")), open(caller("@b"))];
  first.take(60);
  assert.throws(() => first.take(5), { code: "RESULT_TOO_LARGE" });
  assert.throws(() => second.take(5), { code: "BUSY" });
  other.take(40);
  assert.throws(() => other.take(1), { code: "BUSY" });
  first.release();
  first.release();
  second.take(60);
  assert.throws(() => other.take(1), { code: "BUSY" });
});
