import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { startAwareness } from "./support/start-awareness.ts";

const NUL = "\u0000";
const LONE = "\ud800";

const badTimes: readonly (readonly [string, string])[] = [
  ["200 fraction digits", `2026-11-22T00:00:00.${"1".repeat(200)}Z`],
  ["an offset of 16 hours", "2026-11-22T00:00:00+16:00"],
  ["the year 1", "0001-01-01T00:00:00+00:00"],
  ["the year 0", "0000-12-31T23:59:59Z"],
  ["a time before 1970", "1969-12-31T23:59:59Z"],
  ["a time that is in the year 10000 in UTC", "9999-12-31T23:59:59-14:00"],
];

for (const [says, occurredAt] of badTimes) {
  test(`/ingest refuses an event whose occurredAt has ${says} [decision E5]`, async (t) => {
    const awareness = await startAwareness(t);
    const { status, code } = await awareness.ingest(makeEvent({ body: { occurredAt } }));
    assert.deepEqual([status, code], [400, "INVALID_EVENT"]);
  });
}

test("/ingest takes each time between 1970 and 9999, with up to 9 fraction digits and offsets up to 14 hours [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  for (const occurredAt of [
    ...["1970-01-01T00:00:00Z", "2026-11-22T00:00:00.123456789Z", "9999-12-31T23:59:59.999Z"],
    ...["2026-11-22T00:00:00+14:00", "2026-11-22T00:00:00.5-12:00"],
  ]) {
    const { status, body } = await awareness.ingest(makeEvent({ body: { occurredAt } }));
    assert.deepEqual([status, body.results?.[0].status], [200, "accepted"], occurredAt);
  }
});

test("/ingest refuses ids and names that an index cannot hold, and takes the longest that a vault makes [decision E5] [decision V19]", async (t) => {
  const awareness = await startAwareness(t);
  // Random, so that no compression makes it short.
  const long = () => randomBytes(1_024).toString("hex");
  for (const member of ["id", "schemaId"]) {
    for (const value of [long(), "€".repeat(1_024), "x".repeat(257)]) {
      const { status, code } = await awareness.ingest(makeEvent({ body: { [member]: value } }));
      assert.deepEqual([status, code], [400, "INVALID_EVENT"], `${member} of ${value.length}`);
    }
  }
  const longest = makeEvent({ id: "€".repeat(256), schemaId: "€".repeat(256), requestingPlatform: "p".repeat(512) });
  assert.equal((await awareness.ingest(longest)).status, 200);
});

test("/ingest refuses U+0000 and halves of characters wherever they stand, or stores them, and never fails [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  for (const bad of [NUL, LONE]) {
    const policies = [
      { acl: [`a${bad}`], _acl: null, owner: null },
      { acl: null, _acl: { [`k${bad}`]: bad }, owner: { [bad]: bad } },
    ];
    const events = [
      ...["eventId", "id", "dsid", "schemaId", "operation", "occurredAt", "vaultPublicKey"].map((member) =>
        makeEvent({ body: { [member]: `z${bad}` } }),
      ),
      makeEvent({ data: { [`k${bad}`]: bad } }),
      makeEvent({ requestingPlatform: `p${bad}` }),
      { ...makeEvent(), body: `${makeEvent().body}${bad}` },
      ...policies.map((policy) => makeEvent({ policy })),
    ];
    for (const event of events) {
      const { status } = await awareness.ingest(event);
      assert.ok(status === 200 || status === 400, `${status} for ${JSON.stringify(event)}`);
    }
  }
});

test("/ingest refuses a policy that is nested deeper than 64 levels [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  const nested = (depth: number): unknown => JSON.parse("[".repeat(depth) + "]".repeat(depth));
  const raw = (depth: number) =>
    JSON.stringify(makeEvent({ policy: { acl: null, _acl: { a: "NESTED" }, owner: null } })).replace(
      '"NESTED"',
      "[".repeat(depth) + "]".repeat(depth),
    );
  for (const depth of [64, 1_000, 50_000]) {
    const { status, code } = await awareness.ingest(raw(depth));
    assert.equal(status, 400, String(depth));
    assert.match(code ?? "", /^(?:INVALID_EVENT|BAD_REQUEST)$/);
  }
  assert.equal((await awareness.ingest(raw(400_000))).code, "PAYLOAD_TOO_LARGE", "by the count of its parts");
  const policy = { acl: null, _acl: { a: nested(62) }, owner: null };
  assert.equal((await awareness.ingest(makeEvent({ policy }))).status, 200);
});

test("/ingest refuses numbers outside their range [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  for (const streamVersion of ["2147483648", "1e400", "-1", "9007199254740993", "1.5", "-0"]) {
    const event = makeEvent();
    const body = event.body.replace('"streamVersion":1', `"streamVersion":${streamVersion}`);
    const { status, code } = await awareness.ingest({ ...event, body });
    assert.deepEqual([status, code], [400, "INVALID_EVENT"], streamVersion);
  }
});

test("the API refuses U+0000 and halves of characters in every text it takes, and never fails [decision V2]", async (t) => {
  const awareness = await startAwareness(t, { admins: new Set() });
  const person = await awareness.createPerson();
  const { body: made } = await awareness.ask("/api/me/api-keys", {
    body: { label: "k" },
    credential: await person.token(),
  });
  const subscribe = { body: { targetUrl: awareness.endpoint.url }, credential: made.key };
  const { body: subscription } = await awareness.ask("/api/subscriptions", subscribe);
  const at = `/api/subscriptions/${subscription.id}`;
  const { url } = awareness.endpoint;
  for (const bad of [NUL, LONE, "\u0007"]) {
    const shown = JSON.stringify(bad);
    const bodies: readonly (readonly [string, string, object])[] = [
      ["POST", "/api/subscriptions", { targetUrl: `${url}/${bad}` }],
      ["POST", "/api/subscriptions", { targetUrl: url, secret: `whsec_${bad}` }],
      ["POST", "/api/subscriptions", { targetUrl: url, vaultFilter: [bad] }],
      ["PATCH", at, { targetUrl: `${url}?${bad}` }],
      ["POST", `${at}/rotate-secret`, { secret: bad }],
      ["POST", `${at}/redrive`, { eventId: bad }],
      ["POST", `${at}/replay`, { since: bad }],
      ["POST", "/portal/callback", { ename: person.ename, session: `${"s".repeat(43)}${bad}`, signature: "x" }],
    ];
    for (const [method, path, body] of bodies) {
      const { status } = await awareness.ask(path, { method, body, credential: made.key });
      assert.equal(status, 400, `${method} ${path} with ${shown}`);
    }
  }
  for (const bad of [NUL, LONE]) {
    for (const body of [{ targetUrl: url, ontologyFilter: [bad] }, { [bad]: bad }]) {
      assert.equal((await awareness.ask("/api/subscriptions", { body, credential: made.key })).status, 400);
    }
    const label = { body: { label: bad }, credential: await person.token() };
    assert.equal((await awareness.ask("/api/me/api-keys", label)).status, 400);
  }
  const wallet = await person.token();
  const reads: readonly (readonly [string, string, number])[] = [
    ["DELETE", "/api/me/api-keys/dsk_%00", 404],
    ["DELETE", `/api/subscriptions/${subscription.id}%00`, 404],
    ["GET", "/api/subscriptions/%00/attempts", 404],
    ["GET", `${at}/attempts?eventId=%00`, 400],
    ["GET", "/api/packets?ontology=%00", 400],
    ["GET", "/api/packets?vault=%00", 400],
    ["GET", "/api/packets?cursor=%00", 400],
    ["PUT", "/api/platforms/%00", 403],
  ];
  for (const [method, path, expected] of reads) {
    const { status } = await awareness.ask(path, { method, credential: wallet });
    assert.equal(status, expected, `${method} ${path}`);
  }
});

test("a version more than 1,000 above the newest known one of its record is rejected, so that a forged one does not turn the owner's own into duplicates [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  const version = (streamVersion: number, id = "r") => makeEvent({ id, streamVersion });
  const resultOf = async (event: ReturnType<typeof makeEvent>) => (await awareness.ingest(event)).body.results[0];
  assert.equal((await resultOf(version(1))).status, "accepted");
  const forged = version(2_147_483_647);
  assert.deepEqual(await resultOf(forged), { eventId: eventIdOf(forged), status: "rejected", code: "VERSION_GAP" });
  assert.equal((await resultOf(version(1_002))).status, "rejected");
  assert.equal((await resultOf(version(2))).status, "accepted");
  assert.equal((await resultOf(version(1_002))).status, "accepted");
  const [other, third] = [version(3, "s"), version(1_003 + 1_000, "r")];
  const { status, body } = await awareness.ingest([third, other]);
  assert.equal(status, 200);
  assert.deepEqual(
    body.results.map((result: { status: string }) => result.status),
    ["rejected", "accepted"],
    "the others of the request are stored all the same",
  );
});

test("the first event of a record may have a version up to 1,000,000, as after a move to another awareness service [decision E5]", async (t) => {
  const awareness = await startAwareness(t);
  const statusOf = async (streamVersion: number) =>
    (await awareness.ingest(makeEvent({ streamVersion }))).body.results[0].status;
  assert.equal(await statusOf(1_000_000), "accepted");
  assert.equal(await statusOf(1_000_001), "rejected");
  assert.equal(await statusOf(2_147_483_647), "rejected");
});
