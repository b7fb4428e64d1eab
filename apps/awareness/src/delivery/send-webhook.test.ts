import assert from "node:assert/strict";
import { test } from "node:test";
import { createSendWebhook, parseRetryAfter } from "./send-webhook.ts";

const NOW = Date.parse("2026-11-22T00:00:00Z");

test("Retry-After is seconds or a date, and any other value is ignored (RFC 9110 10.2.3)", () => {
  assert.equal(parseRetryAfter("120", NOW), 120_000);
  assert.equal(parseRetryAfter("Sun, 22 Nov 2026 00:01:00 GMT", NOW), 60_000);
  assert.equal(parseRetryAfter("Sun, 22 Nov 2020 00:01:00 GMT", NOW), 0);
  for (const text of [undefined, ["120", "1"], "", "-1", "1.5", "soon", "2026-11-22", "1".repeat(10), "soon GMT"]) {
    assert.equal(parseRetryAfter(text, NOW), undefined, String(text));
  }
});

test("a failure outside the guarded request is an outcome too, and so is a clock that was set back", async () => {
  const times = [NOW, NOW - 5_000];
  const clock = { nowMs: () => times.shift() ?? NOW };
  const send = createSendWebhook({ post: () => Promise.reject(new Error("anything")), clock });
  const outcome = await send({ requester: "test", targetUrl: "https://receiver.example/", headers: {}, body: "{}" });
  const nothing = { status: null, answer: null, brokenOff: undefined, retryAfterMs: undefined };
  assert.deepEqual(outcome, { ...nothing, startedAtMs: NOW, durationMs: 0, error: "unreachable" });
});
