import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import type { EventPolicy } from "../src/matching/event-policy.ts";
import type { Listener } from "../src/matching/listener.ts";
import type { JudgedRecord } from "../src/matching/may-hear.ts";
import { findOrAddConsumer, setClaim } from "../src/store/consumer-rows.ts";
import type { AccessOutcome } from "../src/visibility/decide-access.ts";
import { openDeliveryWorld } from "./support/delivery-world.ts";
import { eventIdOf, makeEvent, OWNER } from "./support/events.ts";
import { startAwareness } from "./support/start-awareness.ts";
import { createTestHearing } from "./support/test-hearing.ts";
import { createDrain, createVirtualClock, nextMoment } from "./support/virtual-time.ts";
import { outcomeAt } from "./support/webhook-outcome.ts";

const START = 1_790_000_000_000;
const DAY = 86_400_000;
const { SocialMediaPost: POST } = ONTOLOGY_ID;
const PERSON = parseEName("@00000000-0000-4000-8000-00000000000a");
const HOLDER: Listener = { ename: PERSON, platform: null, isPlatform: false, isDev: false, evidence: null };
const STATUS = { issuer: "https://authority.test", uri: "https://authority.test/status", idx: 1 };

function recordUnder(policy: Partial<EventPolicy>): JudgedRecord {
  const whole = { acl: null, _acl: null, owner: null, ...policy };
  return { dsid: OWNER, schemaId: POST, domain: "social", policy: whole, terms: DEFAULT_OWNER_TERMS };
}

function certified(): Listener {
  const platform = parseEName(randomUUID());
  const evidence = { platform, certified: { level: "L3", domains: ["social"] }, status: STATUS } as const;
  return { ename: platform, platform, isPlatform: true, isDev: false, evidence };
}

/** Runs the deliveries of one event while its access is as `access` says, to their end. */
async function deliver(access: (afterMs: number) => AccessOutcome) {
  await using world = await openDeliveryWorld();
  const clock = createVirtualClock(START);
  const looks: number[] = [];
  const sent: number[] = [];
  const drain = createDrain(
    world.depsWith({
      clock,
      mayHearOf: async () => {
        looks.push(clock.nowMs() - START);
        return access(clock.nowMs() - START);
      },
      send: async () => {
        sent.push(clock.nowMs() - START);
        return outcomeAt(clock.nowMs(), 200);
      },
    }),
  );
  const subscriptionId = await world.addSubscription();
  await world.queue({ subscriptionId, recordId: "r", streamVersion: 1, receivedAtMs: START });
  await drain();
  for (let at = await nextMoment(world.database); at !== undefined; at = await nextMoment(world.database)) {
    clock.set(at);
    await drain();
  }
  const text = "select state, reason, (select count(*)::int from attempt) as attempts from delivery";
  const { rows } = await world.database.query<{ state: string; reason: string | null }>({ text, values: [] });
  return { looks, sent, rows };
}

test("an event whose access is not known is neither sent nor skipped, and is sent once it is known [decision E4]", async () => {
  const { looks, sent, rows } = await deliver((afterMs) => (afterMs < 100_000 ? "unknown" : "admitted"));
  assert.deepEqual(looks, [0, 30_000, 60_000, 120_000]);
  assert.deepEqual(sent, [120_000]);
  assert.deepEqual(rows, [{ state: "delivered", reason: null, attempts: 1 }]);
});

test("an event whose access stays unknown for 24 hours is a dead letter, which can be sent again [decisions E2, E4]", async () => {
  const { looks, sent, rows } = await deliver(() => "unknown");
  assert.equal(looks.at(-1), DAY);
  assert.ok(looks.length < 100, `${looks.length} looks`);
  assert.deepEqual(sent, []);
  assert.deepEqual(rows, [{ state: "dead", reason: "access_unknown", attempts: 0 }]);
});

test("a certificate whose status is not available leaves open what it would admit, and nothing else [decisions A1, E4]", async (t) => {
  const { database } = await startAwareness(t);
  const records = [recordUnder({ acl: ["*"] }), recordUnder({}), { ...recordUnder({ acl: ["*"] }), domain: "finance" }];
  const decideWhen = async (status: "valid" | "revoked" | "unavailable") => {
    const hearing = createTestHearing(database, { statusOf: async () => status });
    return hearing.decide(await hearing.standingOf(certified()), records);
  };
  assert.deepEqual(await decideWhen("valid"), ["admitted", "denied", "denied"]);
  assert.deepEqual(await decideWhen("unavailable"), ["unknown", "denied", "denied"]);
  assert.deepEqual(await decideWhen("revoked"), ["denied", "denied", "denied"]);
});

test("a feed, its single events and a replay are refused while the certificate's status is not known [decisions A1, E7]", async (t) => {
  const awareness = await startAwareness(t, { legacyTokens: "reject" });
  const person = await awareness.createPerson();
  const consumer = await findOrAddConsumer(awareness.database, person.ename, new Date().toISOString());
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const claim = { platform: person.ename, level: "L3", domains: ["social"], expiresAt, status: STATUS } as const;
  await setClaim(awareness.database, consumer.id, claim);
  const ask = async (path: string, body?: object) => awareness.ask(path, { body, credential: await person.token() });
  const { body: made } = await ask("/api/subscriptions", { targetUrl: awareness.endpoint.url });
  const event = makeEvent({ schemaId: POST });
  await awareness.ingest(event);
  const text = "select from unnumbered";
  while ((await awareness.database.query({ text, values: [] })).rowCount > 0)
    await new Promise((go) => setTimeout(go, 5));
  for (const path of ["/api/packets", `/api/packets/${eventIdOf(event)}`]) {
    const { status, code } = await ask(path);
    assert.deepEqual([status, code], [503, "STATUS_UNAVAILABLE"]);
  }
  const set = (statement: string) => awareness.database.query({ text: statement, values: [] });
  await set("update delivery set state = 'dead', reason = 'status_500', settled_at = now()");
  const at = `/api/subscriptions/${made.id}`;
  assert.equal((await ask(`${at}/replay`, { since: "2020-01-01T00:00:00Z" })).code, "STATUS_UNAVAILABLE");
  assert.equal((await ask(`${at}/redrive`, {})).code, "REPLAY_RUNNING", "the job waits, and is tried again");
  assert.equal((await ask(`${at}/dead-letters`)).code, "STATUS_UNAVAILABLE");
});

test("a condition is open while the keys of its issuer are not available, and not met where nobody has the issuer's eName [decisions E4, V24]", async (t) => {
  const { database, ingest } = await startAwareness(t);
  const issuer = parseEName(randomUUID());
  const ontology = parseEName(randomUUID());
  const [issuedAt, expiresAt] = [0, 3_600_000].map((after) => new Date(Date.now() + after).toISOString());
  const fixed = { type: "ds.signed-reading", schemaVersion: 1, subject: PERSON, ontology };
  const data = { statement: { ...fixed, data: { score: 9 }, issuedAt, expiresAt }, signature: "s", signer: issuer };
  await ingest(makeEvent({ dsid: PERSON, schemaId: ontology, data }));
  const require = [[{ ontology, path: "$.score", op: ">=", value: 5, issuer }]];
  const record = recordUnder({ _acl: { v: 1, require, default_perms: 1 } });
  const decideWhen = async (hasSigned: () => Promise<boolean>) => {
    const hearing = createTestHearing(database, { hasSigned });
    return (await hearing.decide(await hearing.standingOf(HOLDER), [record]))[0];
  };
  const refusal = { status: 404, code: undefined, body: undefined };
  const unknown = new UpstreamError("refused", "There is no such eName.", { refusal });
  assert.equal(await decideWhen(async () => true), "admitted");
  assert.equal(await decideWhen(async () => false), "denied");
  assert.equal(await decideWhen(() => Promise.reject(new UpstreamError("timeout", "No answer."))), "unknown");
  assert.equal(await decideWhen(() => Promise.reject(unknown)), "denied");
});

test("a denied group is open while the registry does not answer, unless something else denies [decisions E4, V23]", async (t) => {
  const { database } = await startAwareness(t);
  const group = parseEName(randomUUID());
  const open = { v: 1, require: [[]], default_perms: 1 };
  const records = [
    recordUnder({ _acl: { ...open, denials: { enames: [group], conditions: [] } } }),
    recordUnder({ _acl: { ...open, denials: { enames: [group, PERSON], conditions: [] } } }),
    recordUnder({ _acl: { v: 1, grants: [{ ename: group, perms: 1 }] } }),
  ];
  const isKnown = () => Promise.reject(new UpstreamError("unreachable", "No registry."));
  const hearing = createTestHearing(database, { isKnown });
  assert.deepEqual(await hearing.decide(await hearing.standingOf(HOLDER), records), ["unknown", "denied", "denied"]);
});
