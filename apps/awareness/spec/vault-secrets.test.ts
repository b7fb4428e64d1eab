import assert from "node:assert/strict";
import { type TestContext, test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { createSecret } from "@dataspace/service-kit/secret";
import { eventIdOf, makeEvent, OWNER } from "./support/events.ts";
import { INGEST_SECRET, startAwareness } from "./support/start-awareness.ts";

const [ONE, TWO] = ["https://one.example", "https://two.example"];
const [SECRET_ONE, SECRET_TWO] = ["the-secret-of-vault-one-0123456789abc", "the-secret-of-vault-two-0123456789abc"];
const OTHER_OWNER = "@00000000-0000-4000-8000-000000000002";
const START = 1_790_000_000_000;

/** An awareness service of two vault services, and a registry whose answers the test sets. */
async function withTwoVaults(t: TestContext) {
  const registry = {
    origins: new Map([
      [OWNER, ONE],
      [OTHER_OWNER, TWO],
    ]),
    asked: [] as string[],
    isDown: false,
  };
  let nowMs = START;
  const awareness = await startAwareness(t, {
    ingestSecret: undefined,
    ingestSecrets: new Map([
      [ONE, createSecret(SECRET_ONE)],
      [TWO, createSecret(SECRET_TWO)],
    ]),
    nowMs: () => nowMs,
    resolveVault: async (ename) => {
      registry.asked.push(ename);
      if (registry.isDown) throw new Error("the registry is down");
      const uri = registry.origins.get(ename);
      return uri === undefined ? undefined : { ename, uri: `${uri}/vaults`, vault: "v" };
    },
  });
  const resultOf = async (event: ReturnType<typeof makeEvent>, secret: string) => {
    const { status, body } = await awareness.ingest(event, secret);
    assert.equal(status, 200);
    const { eventId, ...result } = body.results[0];
    assert.equal(eventId, eventIdOf(event));
    return result;
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { awareness, registry, resultOf, pass };
}

test("with several vault services an event is taken only from the one at which the registry has its owner [decision E5]", async (t) => {
  const { awareness, resultOf } = await withTwoVaults(t);
  assert.deepEqual(await resultOf(makeEvent({ dsid: OWNER }), SECRET_ONE), { status: "accepted" });
  const rejected = { status: "rejected", code: "NOT_YOUR_OWNER" };
  assert.deepEqual(await resultOf(makeEvent({ dsid: OTHER_OWNER }), SECRET_ONE), rejected);
  const unknown = parseEName("@00000000-0000-4000-8000-000000000009");
  assert.deepEqual(await resultOf(makeEvent({ dsid: unknown }), SECRET_ONE), rejected);
  const [own, foreign] = [makeEvent({ dsid: OWNER, id: "b" }), makeEvent({ dsid: OTHER_OWNER, id: "a" })];
  const { status, body } = await awareness.ingest([foreign, own], SECRET_ONE);
  assert.equal(status, 200);
  assert.deepEqual(body.results, [
    { eventId: eventIdOf(own), status: "accepted" },
    { eventId: eventIdOf(foreign), ...rejected },
  ]);
  const { rows } = await awareness.database.query({ text: "select distinct dsid from event", values: [] });
  assert.deepEqual(rows, [{ dsid: OWNER }]);
});

test("what a vault service that is not the owner's sends tells nothing of the owner's events [decision E5]", async (t) => {
  const { resultOf } = await withTwoVaults(t);
  const event = makeEvent({ dsid: OTHER_OWNER });
  assert.deepEqual(await resultOf(event, SECRET_TWO), { status: "accepted" });
  const rejected = { status: "rejected", code: "NOT_YOUR_OWNER" };
  assert.deepEqual(await resultOf(event, SECRET_ONE), rejected);
  const conflict = makeEvent({ dsid: OTHER_OWNER, eventId: eventIdOf(event), data: { other: true } });
  assert.deepEqual(await resultOf(conflict, SECRET_ONE), rejected);
});

test("with several vault services the single secret and unknown ones are 401 [decision E5]", async (t) => {
  const { awareness } = await withTwoVaults(t);
  for (const secret of [INGEST_SECRET, `${SECRET_ONE}x`, "x"]) {
    assert.equal((await awareness.ingest(makeEvent(), secret)).code, "UNAUTHENTICATED");
  }
});

test("the registry's answer holds for 10 minutes and is asked for again on a mismatch, so that an owner who has moved is served at once [decision E5]", async (t) => {
  const { registry, resultOf, pass } = await withTwoVaults(t);
  await resultOf(makeEvent(), SECRET_ONE);
  await resultOf(makeEvent(), SECRET_ONE);
  assert.deepEqual(registry.asked, [OWNER]);
  pass(599_000);
  await resultOf(makeEvent(), SECRET_ONE);
  assert.equal(registry.asked.length, 1);
  pass(2_000);
  await resultOf(makeEvent(), SECRET_ONE);
  assert.equal(registry.asked.length, 2);
  registry.origins.set(OWNER, TWO);
  assert.deepEqual(await resultOf(makeEvent(), SECRET_TWO), { status: "accepted" });
  assert.equal(registry.asked.length, 3);
  assert.deepEqual(await resultOf(makeEvent(), SECRET_ONE), { status: "rejected", code: "NOT_YOUR_OWNER" });
});

test("a vault service that goes on sending another's owner asks the registry at most 600 times a minute [decision E5]", async (t) => {
  const { awareness, registry, pass } = await withTwoVaults(t);
  const flood = async () => {
    for (let request = 0; request < 650; request += 1) {
      assert.equal((await awareness.ingest(makeEvent({ dsid: OTHER_OWNER }), SECRET_ONE)).status, 200);
    }
  };
  await flood();
  assert.equal(registry.asked.length, 601);
  pass(60_000);
  await awareness.ingest(makeEvent({ dsid: OTHER_OWNER }), SECRET_ONE);
  assert.equal(registry.asked.length, 602);
});

test("while the registry does not answer, known owners are served and others' events are rejected to be sent again [decision E5]", async (t) => {
  const { registry, resultOf } = await withTwoVaults(t);
  await resultOf(makeEvent(), SECRET_ONE);
  registry.isDown = true;
  assert.deepEqual(await resultOf(makeEvent(), SECRET_ONE), { status: "accepted" });
  const event = makeEvent({ dsid: OTHER_OWNER });
  assert.deepEqual(await resultOf(event, SECRET_TWO), { status: "rejected", code: "REGISTRY_UNAVAILABLE" });
  registry.isDown = false;
  assert.deepEqual(await resultOf(event, SECRET_TWO), { status: "accepted" });
});
