import assert from "node:assert/strict";
import { test } from "node:test";
import { createLoginEvents } from "./login-events.ts";
import type { LoginState } from "./pending-logins.ts";

type Look = () => Promise<LoginState | undefined>;

function createTestEvents(look: Look) {
  const closed = Promise.withResolvers<void>();
  const { body, end } = createLoginEvents({ look, next: "/", onClose: closed.resolve });
  return { text: () => new Response(body).text(), body, end, closed: closed.promise };
}

test("a look that fails, at first or later, ends the stream, and the browser connects again [decision L9]", async () => {
  const first = createTestEvents(async () => {
    throw new Error("no database");
  });
  assert.equal(await first.text(), "retry: 2000\n\n");
  await first.closed;
  let looks = 0;
  const later = createTestEvents(async () => {
    looks += 1;
    if (looks > 1) throw new Error("no database");
    return "pending";
  });
  assert.match(await later.text(), /event: pending\n/);
  await later.closed;
});

test("a look that takes longer than the pause between looks is not asked a second time meanwhile", async () => {
  let running = 0;
  let most = 0;
  let looks = 0;
  const { text } = createTestEvents(async () => {
    running += 1;
    looks += 1;
    most = Math.max(most, running);
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    running -= 1;
    return looks < 2 ? "pending" : "signed";
  });
  assert.match(await text(), /event: pending\n[\s\S]*event: signed\n/);
  assert.equal(most, 1);
});

test("a reader that leaves while a look runs ends the stream, and nothing is written to it any more", async () => {
  const gate = Promise.withResolvers<LoginState>();
  const { body, closed, end } = createTestEvents(() => gate.promise);
  await body.cancel();
  await closed;
  gate.resolve("signed");
  await gate.promise;
  end();
});
