import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as delay } from "node:timers/promises";
import fc from "fast-check";
import { createMemoryWebhookStore } from "./memory-webhook-store.ts";
import { makeEvent } from "./test-sender.ts";
import type { WebhookEvent } from "./webhook-event.ts";

const event = (fields: object) => makeEvent(fields) as unknown as WebhookEvent;

test("the same event twice at the same time is applied once, and other records do not wait for it", async () => {
  const store = createMemoryWebhookStore();
  const slow = event({});
  const done: string[] = [];
  const apply = async () => {
    await delay(20);
    done.push("slow");
  };
  const both = Promise.all([store.applyOnce(slow, apply), store.applyOnce(slow, apply)]);
  await store.applyOnce(event({}), async () => void done.push("other"));
  assert.deepEqual(await both, ["applied", "duplicate"]);
  assert.deepEqual(done, ["other", "slow"]);
});

test("an event whose handler fails is not stored, and the caller gets the error", async () => {
  const store = createMemoryWebhookStore();
  const one = event({});
  const failing = () => Promise.reject(new Error("no"));
  const results = await Promise.allSettled([store.applyOnce(one, failing), store.applyOnce(one, async () => {})]);
  assert.deepEqual(
    results.map((it) => (it.status === "fulfilled" ? it.value : it.reason.message)),
    ["no", "applied"],
  );
});

test("for any deliveries in any order, versions are applied once and in ascending order [S1 Delivery rules]", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.record({ record: fc.nat(2), version: fc.integer({ min: 1, max: 6 }) })),
      async (list) => {
        const store = createMemoryWebhookStore();
        const applied: number[][] = [[], [], []];
        const deliver = ({ record, version }: { record: number; version: number }) =>
          store.applyOnce(
            event({ eventId: `${record}-${version}`, id: `${record}`, streamVersion: version }),
            async () => {
              await Promise.resolve();
              applied[record]?.push(version);
            },
          );
        await Promise.all(list.map(deliver));
        const highest = (record: number) => {
          const versions = list.filter((it) => it.record === record).map(({ version }) => version);
          return versions.filter((version, at) => versions.slice(0, at).every((earlier) => earlier < version));
        };
        assert.deepEqual(applied, [highest(0), highest(1), highest(2)]);
      },
    ),
  );
});

test("above its limit the store forgets the least recently changed record", async () => {
  const store = createMemoryWebhookStore({ maxRecords: 2 });
  const [a, b, c] = [event({}), event({}), event({})];
  const outcome = (one: WebhookEvent) => store.applyOnce(one, async () => {});
  await outcome(a);
  await outcome(b);
  const later = { ...a, eventId: "later", streamVersion: 2 };
  await outcome(later);
  await outcome(c);
  assert.deepEqual([await outcome(later), await outcome(c), await outcome(b)], ["duplicate", "duplicate", "applied"]);
});
