import assert from "node:assert/strict";
import { test } from "node:test";
import { assureSubscription } from "./assure-subscription.ts";

const TARGET = "https://platform.example/api/webhook";

/** An awareness service that has these subscriptions, and the requests that change something. */
function awarenessWith(subscriptions: readonly object[]) {
  const changes: unknown[] = [];
  const fetch = async (url: string, { method = "GET", body }: RequestInit): Promise<Response> => {
    if (method === "GET") return Response.json({ subscriptions });
    changes.push([method, new URL(url).pathname, JSON.parse(String(body))]);
    return Response.json({ id: "new" });
  };
  const assure = (ontologyFilter?: readonly string[]) =>
    assureSubscription(
      {
        awarenessUrl: "https://awareness.example",
        targetUrl: TARGET,
        ...(ontologyFilter === undefined ? {} : { ontologyFilter }),
      },
      { fetch },
    );
  return { assure, changes };
}

const KNOWN = { id: "s1", targetUrl: TARGET, active: true, ontologyFilter: ["one", "two"] };

test("a target is subscribed once, and a subscription that is as wanted is left as it is", async () => {
  const none = awarenessWith([{ ...KNOWN, targetUrl: "https://other.example/" }]);
  assert.equal(await none.assure(["one"]), "new");
  assert.deepEqual(none.changes, [["POST", "/api/subscriptions", { targetUrl: TARGET, ontologyFilter: ["one"] }]]);
  const known = awarenessWith([KNOWN]);
  assert.equal(await known.assure(["two", "one"]), "s1");
  assert.deepEqual(known.changes, []);
});

test("a subscription that is paused, or has another filter, is made as wanted", async () => {
  const paused = awarenessWith([{ ...KNOWN, active: false }]);
  assert.equal(await paused.assure(["one", "two"]), "s1");
  assert.deepEqual(paused.changes, [
    ["PATCH", "/api/subscriptions/s1", { active: true, ontologyFilter: ["one", "two"] }],
  ]);
  const filtered = awarenessWith([KNOWN]);
  assert.equal(await filtered.assure(), "s1");
  assert.deepEqual(filtered.changes, [["PATCH", "/api/subscriptions/s1", { active: true, ontologyFilter: [] }]]);
});
