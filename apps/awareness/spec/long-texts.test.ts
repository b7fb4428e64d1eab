import assert from "node:assert/strict";
import { test } from "node:test";
import { makeEvent } from "./support/events.ts";
import { startAwareness } from "./support/start-awareness.ts";

/** As long as a body of 1 MiB lets a text be. */
const LONG = "x".repeat(1_048_300);
/** As long as the head of a request lets a text be. */
const LONG_QUERY = "x".repeat(8_000);
const SUBSCRIPTIONS = "/api/subscriptions";
const UNKNOWN = "11111111-1111-4111-8111-111111111111";

const EVENTS: readonly object[] = [
  ...["eventId", "id", "dsid", "schemaId", "operation", "occurredAt"].map((member) =>
    makeEvent({ body: { [member]: LONG } }),
  ),
  makeEvent({ body: { vaultPublicKey: `z${LONG}` } }),
  makeEvent({ requestingPlatform: LONG }),
];

/** A request and what refuses it; `target` stands for an endpoint that takes webhooks. */
type Sent = readonly [path: string, body: object | undefined, code: string];

const bodiesFor = (target: string, ename: string): readonly Sent[] => [
  [SUBSCRIPTIONS, { targetUrl: `${target}/${LONG}` }, "400 BAD_REQUEST"],
  [SUBSCRIPTIONS, { targetUrl: target, ontologyFilter: [LONG] }, "400 BAD_REQUEST"],
  [SUBSCRIPTIONS, { targetUrl: target, vaultFilter: [LONG] }, "400 BAD_REQUEST"],
  [SUBSCRIPTIONS, { targetUrl: target, secret: `whsec_${LONG}` }, "400 BAD_REQUEST"],
  [SUBSCRIPTIONS, { targetUrl: `${target}/${LONG}${LONG}` }, "413 PAYLOAD_TOO_LARGE"],
  ["/api/me/api-keys", { label: LONG }, "400 BAD_REQUEST"],
  [`PUT /api/platforms/${ename}`, { platform: LONG }, "400 BAD_REQUEST"],
  [`/api/packets?ontology=${LONG_QUERY}`, undefined, "400 BAD_REQUEST"],
  [`/api/packets?cursor=${LONG_QUERY}`, undefined, "400 BAD_CURSOR"],
  [`/api/packets?from=${LONG_QUERY}`, undefined, "400 BAD_REQUEST"],
  [`/api/packets/${LONG_QUERY}`, undefined, "404 NOT_FOUND"],
  [`${SUBSCRIPTIONS}/${LONG_QUERY}`, undefined, "404 NOT_FOUND"],
  [`${SUBSCRIPTIONS}/${UNKNOWN}/redrive`, { eventId: LONG }, "404 NOT_FOUND"],
];

test("a text as long as a request can carry is refused with a code in each field of an event [decision V25]", async (t) => {
  const awareness = await startAwareness(t);
  for (const event of EVENTS) {
    const { status, code } = await awareness.ingest(event);
    assert.deepEqual([status, code], [400, "INVALID_EVENT"]);
  }
});

test("a text as long as a request can carry is refused with a code in each field of the API [decision V25]", async (t) => {
  const admins = new Set<Awaited<ReturnType<typeof awareness.createPerson>>["ename"]>();
  const awareness = await startAwareness(t, { admins });
  const person = await awareness.createPerson();
  admins.add(person.ename);
  const sent = bodiesFor(awareness.endpoint.url, person.ename);
  const outcomes: string[] = [];
  for (const [asked, body] of sent) {
    const [path, method] = asked.startsWith("PUT ") ? [asked.slice(4), "PUT"] : [asked, undefined];
    const options = { body, credential: await person.token(), ...(method === undefined ? {} : { method }) };
    const { status, code } = await awareness.ask(path, options);
    outcomes.push(`${status} ${code}`);
  }
  assert.deepEqual(
    outcomes,
    sent.map(([, , code]) => code),
  );
});
