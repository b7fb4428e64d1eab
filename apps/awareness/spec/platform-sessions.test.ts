import assert from "node:assert/strict";
import { test } from "node:test";
import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { createMayHearOf } from "../src/delivery/may-hear-of.ts";
import { findConsumerByEName } from "../src/store/consumer-rows.ts";
import type { DueDelivery } from "../src/store/due-delivery.ts";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { type ProvenWorld, startProvenWorld } from "./support/proven-platform.ts";
import { startAwareness } from "./support/start-awareness.ts";

const { SocialMediaPost: POST, Ledger } = ONTOLOGY_ID;
const OPEN = { acl: [], _acl: null, owner: null };

async function received({ awareness, ask }: ProvenWorld, token: string): Promise<readonly string[]> {
  const text = "select from unnumbered";
  while ((await awareness.database.query({ text, values: [] })).rowCount > 0)
    await new Promise((go) => setTimeout(go, 5));
  const { status, body } = await ask(token, "/api/packets");
  assert.equal(status, 200);
  return body.packets.map(({ eventId }: { eventId: string }) => eventId);
}

/** Whether a webhook to the platform's subscription would be sent now. */
async function isDelivered({ awareness, ename }: ProvenWorld, nowMs: () => number): Promise<boolean> {
  const clock = { nowMs };
  const settings = { legacyTokens: "reject", domains: DOMAIN_BY_ONTOLOGY, clock } as const;
  const mayHearOf = createMayHearOf(awareness.platforms.hearing, settings);
  const consumer = await findConsumerByEName(awareness.database, ename);
  const due = { dsid: "@1", schemaId: POST, policy: JSON.stringify(OPEN), ownerPolicy: null, subscriber: { consumer } };
  return (await mayHearOf(due as unknown as DueDelivery)) === "admitted";
}

test("a platform proves itself to the service, and its session reads the feed and subscribes within its certificate [V-EVT-185] [decision E9]", async (t) => {
  const world = await startProvenWorld(t);
  const { awareness, ask, shakeHands, ename } = world;
  const { status, body } = await shakeHands();
  assert.deepEqual([status, body.ok, body.claim.platform], [200, true, ename]);
  const token = body.session.access_token;
  assert.equal(body.session.token_type, "DPoP");
  const [post, ledger] = [makeEvent({ schemaId: POST, policy: OPEN }), makeEvent({ schemaId: Ledger, policy: OPEN })];
  await awareness.ingest([post, ledger]);
  assert.deepEqual(await received(world, token), [eventIdOf(post)]);
  const made = await ask(token, "/api/subscriptions", { targetUrl: awareness.endpoint.url });
  assert.equal(made.status, 201);
  assert.equal((await ask(token, "/api/me/api-keys", { label: "k" })).code, "WALLET_REQUIRED");
});

test("a challenge is for the service's own origin, whatever X-ENAME says; an answer counts once [decisions A1, E9]", async (t) => {
  const { awareness, shakeHands, platform } = await startProvenWorld(t);
  const { body } = await awareness.ask("/pp-auth/challenge", { method: "POST", headers: { "x-ename": "@nobody" } });
  assert.equal(body.audience, awareness.url);
  const foreign = await awareness.ask("/pp-auth/challenge", { body: { audience: "https://elsewhere.test" } });
  assert.equal(foreign.code, "AUDIENCE_NOT_SERVED");
  const sent = { challenge: body, evidence: platform.evidence, signature: "x".repeat(86) };
  assert.equal((await awareness.ask("/pp-auth/verify", { body: sent })).body.links[0].code, "signature_invalid");
  assert.equal((await awareness.ask("/pp-auth/verify", { body: sent })).body.links[0].code, "challenge_unknown");
  assert.equal((await shakeHands({ evidence: {} })).body.ok, false);
});

test("a bound session needs a proof of its own for each request, as DPoP [P-SES-003] [decision A1]", async (t) => {
  const { awareness, headersFor, shakeHands } = await startProvenWorld(t);
  const token = (await shakeHands()).body.session.access_token;
  const headers = await headersFor(token, "/api/packets");
  assert.equal((await awareness.ask("/api/packets", { headers })).status, 200);
  assert.equal((await awareness.ask("/api/packets", { headers })).code, "INVALID_TOKEN");
  assert.equal((await awareness.ask("/api/packets", { credential: token })).code, "INVALID_TOKEN");
  const elsewhere = await headersFor(token, "/api/subscriptions");
  assert.equal((await awareness.ask("/api/packets", { headers: elsewhere })).code, "INVALID_TOKEN");
  const later = await headersFor(token, "/api/packets", "POST");
  assert.equal((await awareness.ask("/api/packets", { headers: later })).code, "INVALID_TOKEN");
});

test("a stream of a session outlives the minute of its proof, and ends when the session does [decision E7]", {
  timeout: 30_000,
}, async (t) => {
  const { awareness, headersFor, shakeHands, moveMs } = await startProvenWorld(t);
  const token = (await shakeHands()).body.session.access_token;
  const headers = await headersFor(token, "/api/packets/stream");
  const stream = await fetch(`${awareness.url}/api/packets/stream`, { headers });
  assert.equal(stream.status, 200);
  let isOver = false;
  const whole = stream.text().then(() => {
    isOver = true;
  });
  moveMs(90_000);
  await new Promise((go) => setTimeout(go, 3_500)); // one check of the credential
  assert.equal(isOver, false);
  moveMs(600_000);
  await whole;
});

test("a revoked certificate ends sessions, webhooks and feeds within the minutes of its status list [V-EVT-185] [decisions A1, E9]", async (t) => {
  const world = await startProvenWorld(t);
  const { awareness, ask, shakeHands, revoke, asked, moveMs } = world;
  let ahead = 0;
  const isSent = () => isDelivered(world, () => Date.now() + ahead);
  const token = (await shakeHands()).body.session.access_token;
  await awareness.ingest(makeEvent({ schemaId: POST, policy: OPEN }));
  assert.deepEqual([await isSent(), (await ask(token, "/api/packets")).status], [true, 200]);
  revoke();
  assert.deepEqual([await isSent(), asked()], [true, 1], "a list is asked for every 5 minutes at most");
  moveMs(301_000);
  ahead = 301_000;
  assert.deepEqual([await isSent(), asked()], [false, 2]);
  assert.equal((await ask(token, "/api/packets")).code, "INVALID_TOKEN");
  assert.equal((await shakeHands()).body.links[5].code, "certificate_revoked");
});

test("without a trusted authority no handshake is served [decision A1]", async (t) => {
  const awareness = await startAwareness(t);
  assert.equal((await awareness.ask("/pp-auth/challenge", { method: "POST" })).code, "HANDSHAKE_UNAVAILABLE");
});
