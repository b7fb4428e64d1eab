import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { ACCESS_POLICY_ONTOLOGY } from "@dataspace/protocol/ontology-id";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Listener } from "../src/matching/listener.ts";
import { createDecideVisibility } from "../src/visibility/visibility.ts";
import { makeEvent, OWNER, type SentEvent } from "./support/events.ts";
import { INGEST_SECRET, startAwareness } from "./support/start-awareness.ts";
import { createTestHearing } from "./support/test-hearing.ts";

const MANIFEST = "a8bfb7cf-3200-4b25-9ea9-ee41100f212e";
const PERSON = parseEName("@00000000-0000-4000-8000-00000000000a");
const HOLDER: Listener = { ename: PERSON, platform: null, isPlatform: false, isDev: false, evidence: null };

function manifest(group: string, members: readonly string[], more: object = {}): SentEvent {
  return makeEvent({ dsid: group, id: "manifest", schemaId: MANIFEST, data: { eName: group, members }, ...more });
}

test("a decision that rests on groups of grants reads its policy once, and follows the groups [decisions E4, V23, V25]", async (t) => {
  const { database, ingest } = await startAwareness(t);
  const [reading, other] = [parseEName(randomUUID()), parseEName(randomUUID())];
  const grants = [
    { ename: reading, perms: 1 },
    { ename: other, perms: 2 },
  ];
  const under = (id: string, block: object) =>
    makeEvent({ id, policy: { acl: null, _acl: { v: 1, ...block }, owner: null } });
  await ingest([under("closed", { grants }), under("open", { grants, require: [[]], default_perms: 1 })]);
  const decide = createDecideVisibility(
    { database, hearing: createTestHearing(database) },
    { domains: DOMAIN_BY_ONTOLOGY },
  );
  const records = ["closed", "open"].map((recordId) => ({ dsid: OWNER, recordId, schemaId: "note", newestVersion: 1 }));
  const ask = async () => {
    const { outcomes, policyBytes } = await decide(HOLDER, records);
    return [...outcomes.map((outcome) => outcome === "admitted"), policyBytes > 0];
  };
  assert.deepEqual(await ask(), [false, true, true]);
  assert.deepEqual(await ask(), [false, true, false]);
  await ingest(manifest(other, [PERSON]));
  assert.deepEqual(await ask(), [false, false, false], "a grant without READ takes away what everybody has");
  await ingest(manifest(reading, [PERSON]));
  assert.deepEqual(await ask(), [true, true, false]);
});

test("an erasure of an owner takes what its groups and readings stated, and leaves what came later [V-DEC-694]", async (t) => {
  const { database, ingest, url } = await startAwareness(t);
  const at = (day: number) => `2026-01-0${day}T00:00:00.000Z`;
  const stated = { statement: {}, signature: "s", signer: OWNER };
  const signed = (day: number) => ({
    statement: {
      type: "ds.vault.access-policy",
      schemaVersion: 1,
      subject: OWNER,
      issuedAt: at(day),
      nonce: randomUUID(),
      allowedDomains: null,
      deniedDomains: [],
      minimumLevel: "L1",
      reputationEngine: null,
      minimumReputation: null,
    },
    payload: "p",
    signature: "s",
    signer: OWNER,
  });
  const policy = (day: number) => ({ acl: [OWNER], _acl: null, owner: signed(day) });
  const event = (id: string, day: number, more: object) => makeEvent({ id, body: { occurredAt: at(day) }, ...more });
  const manifestOf = { schemaId: MANIFEST, data: { eName: OWNER, members: [PERSON] } };
  await ingest([
    event("old manifest", 1, manifestOf),
    event("old reading", 1, { data: stated }),
    event("changed", 1, manifestOf),
    event("changed", 3, { ...manifestOf, streamVersion: 2, operation: "update" }),
    event("new reading", 3, { data: stated }),
    event("policy", 3, { schemaId: ACCESS_POLICY_ONTOLOGY, policy: policy(3) }),
  ]);
  const left = async () => {
    const text = `select record_id as id from delivery_group_statement union all select record_id from delivery_reading
                  union all select 'policy' from delivery_owner_policy order by 1`;
    return (await database.query<{ id: string }>({ text, values: [] })).rows.map(({ id }) => id);
  };
  const erase = async (id: string | null, day: number) => {
    const headers = { "content-type": "application/json", authorization: `Bearer ${INGEST_SECRET}` };
    const body = JSON.stringify({ dsid: OWNER, id, before: at(day) });
    assert.equal((await fetch(`${url}/ingest/erasures`, { method: "POST", headers, body })).status, 200);
  };
  assert.deepEqual(await left(), ["changed", "new reading", "old manifest", "old reading", "policy"]);
  await erase("old reading", 2);
  assert.deepEqual(await left(), ["changed", "new reading", "old manifest", "policy"]);
  await erase(null, 2);
  assert.deepEqual(await left(), ["changed", "new reading", "policy"]);
  await erase(null, 4);
  assert.deepEqual(await left(), []);
});

test("a request reads earlier statements of long groups a few mebibytes at a time [decision V25]", async (t) => {
  const { database, ingest } = await startAwareness(t);
  const groups = Array.from({ length: 6 }, () => parseEName(randomUUID()));
  const members = Array.from({ length: 20_000 }, () => `@${randomUUID()}`);
  for (const group of groups) await ingest(manifest(group, members));
  const texts: number[] = [];
  const { query } = database;
  const counted: Queryable["query"] = async (statement) => {
    const answer = await query<never>(statement);
    const rows: readonly { readonly statement?: unknown }[] = answer.rows;
    texts.push(rows.reduce((sum, row) => sum + (typeof row.statement === "string" ? row.statement.length : 0), 0));
    return answer;
  };
  const { findKnownFacts, noteStatedFacts } = await import("../src/store/stated-facts-rows.ts");
  const { readEvents } = await import("../src/events/read-events.ts");
  const events = readEvents(
    groups.map((group) => manifest(group, [PERSON], { streamVersion: 2, operation: "update" })),
  );
  const tx = { ...database, query: counted };
  await noteStatedFacts(tx, events, await findKnownFacts(tx, events));
  assert.ok(Math.max(...texts) > 0 && Math.max(...texts) <= 4 * 1_048_576, `${Math.max(...texts)} characters at once`);
  const text = "select count(*)::int as n from delivery_group_statement where granted = $1";
  assert.deepEqual((await database.query({ text, values: [[PERSON]] })).rows, [{ n: 6 }]);
});
