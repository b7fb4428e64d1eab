import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { type TestContext, test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS, type OwnerPolicyTerms } from "@dataspace/protocol/owner-policy";
import { createMayHearOf } from "../src/delivery/may-hear-of.ts";
import { findOrAddConsumer, setClaim } from "../src/store/consumer-rows.ts";
import { readDueDeliveries } from "../src/store/due-delivery.ts";
import { eventIdOf, makeEvent, OWNER, type SentEvent } from "./support/events.ts";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";

const { SocialMediaPost: POST, Ledger } = ONTOLOGY_ID;
const HOUR_MS = 3_600_000;

/** An owner's signed policy as a vault sends it; `minutes` is when it was issued. */
function signed(terms: Partial<OwnerPolicyTerms>, minutes: number, subject = OWNER): object {
  const issuedAt = new Date(Date.UTC(2026, 0, 1, 0, minutes)).toISOString();
  const fixed = { type: "ds.vault.access-policy", schemaVersion: 1, subject, issuedAt, nonce: randomUUID() };
  return { statement: { ...DEFAULT_OWNER_TERMS, ...terms, ...fixed }, payload: "p", signature: "s", signer: subject };
}

function post(owner: object | null, more: object = {}): SentEvent {
  return makeEvent({ schemaId: POST, policy: { acl: [], _acl: null, owner }, ...more });
}

/** A consumer that has proven by evidence that it is a platform for social records, and what it asks the service. */
async function createProven(awareness: TestAwareness, endsInMs = HOUR_MS) {
  const person = await awareness.createPerson();
  const consumer = await findOrAddConsumer(awareness.database, person.ename, new Date().toISOString());
  const expiresAt = new Date(Date.now() + endsInMs).toISOString();
  await setClaim(awareness.database, consumer.id, {
    platform: person.ename,
    level: "L3",
    domains: ["social"],
    expiresAt,
    status: null,
  });
  const credential = await person.token();
  return {
    ...person,
    id: consumer.id,
    ask: (path: string, body?: object) => awareness.ask(path, { body, credential }),
  };
}

async function startWith(t: TestContext, endsInMs?: number) {
  const awareness = await startAwareness(t, { legacyTokens: "reject" });
  return { awareness, platform: await createProven(awareness, endsInMs) };
}

async function received(awareness: TestAwareness, { ask }: Pick<Awaited<ReturnType<typeof createProven>>, "ask">) {
  const text = "select from unnumbered";
  while ((await awareness.database.query({ text, values: [] })).rowCount > 0)
    await new Promise((go) => setTimeout(go, 5));
  return (await ask("/api/packets")).body.packets.map(({ eventId }: { eventId: string }) => eventId);
}

test("the feed of a platform with evidence holds what both gates admit by the owner's newest policy, whichever event brought it [V-EVT-185] [V-EVT-186]", async (t) => {
  const { awareness, platform } = await startWith(t);
  const other = "@00000000-0000-4000-8000-000000000002";
  const [first, ledger, elsewhere] = [post(null), post(null, { schemaId: Ledger }), post(null, { dsid: other })];
  const ids = [first, elsewhere].map(eventIdOf);
  assert.equal((await awareness.ingest([first, ledger, elsewhere])).status, 200);
  assert.deepEqual(new Set(await received(awareness, platform)), new Set(ids));
  await awareness.ingest(post(signed({ deniedDomains: ["social"] }, 10)));
  assert.deepEqual(
    await received(awareness, platform),
    [eventIdOf(elsewhere)],
    "a stricter policy closes older events too",
  );
  await awareness.ingest(post(signed({}, 5)));
  assert.deepEqual(await received(awareness, platform), [eventIdOf(elsewhere)], "an older policy opens nothing");
  await awareness.ingest(post(signed({}, 20, other)));
  assert.deepEqual(
    await received(awareness, platform),
    [eventIdOf(elsewhere)],
    "another's policy opens nothing, nor closes",
  );
  assert.equal((await platform.ask(`/api/packets/${eventIdOf(first)}`)).status, 404);
  await awareness.ingest(post(signed({ minimumLevel: "L3" }, 30)));
  // The event with another owner's policy stays closed: what its vault meant is unknown.
  assert.equal((await received(awareness, platform)).length, 5);
  assert.equal((await platform.ask(`/api/packets/${eventIdOf(first)}`)).status, 200);
});

test("a certificate that has ended opens nothing, nor does the consumer's other standing [V-EVT-186] [decision E9]", async (t) => {
  const { awareness, platform } = await startWith(t, -1);
  await awareness.ingest([post(null), post(null, { policy: { acl: ["*"], _acl: null, owner: null } })]);
  assert.deepEqual(await received(awareness, platform), []);
});

test("each attempt of a delivery asks with the newest policy of the owner, and replays and dead letters tell only what it admits [V-EVT-186] [decisions E4, E7]", async (t) => {
  const { awareness, platform } = await startWith(t);
  const { body: made } = await platform.ask("/api/me/api-keys", { label: "k" });
  const ask = (path: string, body?: object) => awareness.ask(path, { body, credential: made.key });
  const { body: subscription } = await ask("/api/subscriptions", { targetUrl: awareness.endpoint.url });
  const at = `/api/subscriptions/${subscription.id}`;
  const event = post(null, { id: "r1" });
  await awareness.ingest(event);
  const mayHearOf = createMayHearOf(awareness.platforms.hearing, {
    legacyTokens: "reject",
    domains: DOMAIN_BY_ONTOLOGY,
    clock: { nowMs: () => Date.now() },
  });
  const mayHearNow = async () => {
    const key = { subscription_id: subscription.id, dsid: parseEName(OWNER), record_id: "r1" };
    const lane = { key, token: "", attempts: 1, doneVersion: 0, isProbe: false } as never;
    const [due] = await readDueDeliveries(awareness.database, [lane], Date.now());
    assert.ok(due);
    return mayHearOf(due);
  };
  assert.equal(await mayHearNow(), "admitted");
  await awareness.ingest(post(signed({ allowedDomains: [] }, 1), { id: "r2" }));
  assert.equal(await mayHearNow(), "denied");
  const set = (text: string) => awareness.database.query({ text, values: [] });
  await set("update delivery set state = 'dead', reason = 'endpoint_unavailable', settled_at = now()");
  await set("update lane set done_version = tail_version, next_at = null");
  assert.deepEqual((await ask(`${at}/dead-letters`)).body.deadLetters, []);
  const replay = { since: "2020-01-01T00:00:00Z", dryRun: true };
  assert.equal((await ask(`${at}/replay`, replay)).body.deliveries, 0);
  await awareness.ingest(post(signed({}, 2), { id: "r3" }));
  assert.equal((await ask(`${at}/dead-letters`)).body.deadLetters.length, 2);
  assert.equal((await ask(`${at}/replay`, replay)).body.deliveries, 2);
});
