import assert from "node:assert/strict";
import { test } from "node:test";
import { nextWebhook } from "./next.ts";

test("the route handler of Next.js answers as the receiver does", async () => {
  const { POST } = nextWebhook(async (request) => Response.json({ method: request.method }));
  const answer = await POST(new Request("http://platform.example/api/webhook", { method: "POST" }));
  assert.deepEqual(await answer.json(), { method: "POST" });
});
