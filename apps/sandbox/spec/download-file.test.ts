import assert from "node:assert/strict";
import { test } from "node:test";
import type { ExchangeTimer } from "../browser/activity/timed-exchanges.ts";
import { downloadFile } from "../browser/vault/download-file.ts";

const FILE = { url: "http://vault.example/files/1", headers: {}, timeoutMs: 5_000, maxBytes: 4 };

function answering(answer: () => Promise<Response>) {
  const reported: unknown[] = [];
  const report: ExchangeTimer["report"] = ({ status, response }) => {
    reported.push([status, response]);
  };
  return { reported, action: { fetch: answer, report } };
}

test("a download is read up to its limit, and is reported however it ends [decision V15]", async () => {
  let isCancelled = false;
  const endless = new ReadableStream({
    pull: (controller) => controller.enqueue(new Uint8Array(3)),
    cancel: () => {
      isCancelled = true;
    },
  });
  const broken = new ReadableStream({ pull: (controller) => controller.error(new Error("reset")) });
  const cases: readonly [() => Promise<Response>, string | number, unknown][] = [
    [async () => new Response("four"), 4, [200, "4 bytes"]],
    [async () => new Response(null), 0, [200, "0 bytes"]],
    [async () => new Response(endless), "UNEXPECTED_ANSWER", [200, undefined]],
    [async () => new Response(broken), "VAULT_UNAVAILABLE", [200, undefined]],
    [async () => new Response("no", { status: 404 }), "VAULT_REFUSED", [404, undefined]],
    [async () => new Response("no", { status: 503 }), "VAULT_UNAVAILABLE", [503, undefined]],
    [() => Promise.reject(new TypeError("failed")), "VAULT_UNAVAILABLE", [0, undefined]],
  ];
  for (const [answer, outcome, line] of cases) {
    const { reported, action } = answering(answer);
    const done = downloadFile(action, FILE);
    if (typeof outcome === "number") assert.equal((await done).size, outcome);
    else await assert.rejects(done, { code: outcome });
    assert.deepEqual(reported, [line]);
  }
  assert.equal(isCancelled, true);
});
