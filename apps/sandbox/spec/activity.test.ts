import assert from "node:assert/strict";
import { test } from "node:test";
import { type TimedExchange, timeExchanges } from "../browser/activity/timed-exchanges.ts";
import { toCurl } from "../browser/activity/to-curl.ts";

const EXCHANGE: TimedExchange = {
  step: "vault",
  method: "POST",
  url: "http://127.0.0.1:4000/graphql",
  headers: { authorization: "Bearer $TOKEN", "x-ename": "@a" },
  request: { name: "it's \u202E\u001B[2J $(rm) `x` 🙂" },
  status: 200,
  response: {},
  durationMs: 3,
};

test("a request is written as a command whose paste runs nothing else [S3 Sandbox, log panel]", () => {
  assert.equal(
    toCurl(EXCHANGE),
    `curl -X POST 'http://127.0.0.1:4000/graphql' -H "authorization: Bearer $TOKEN" -H 'x-ename: @a' --data-raw '{"name":"it'\\''s \\u202e\\u001b[2J $(rm) \`x\` \\ud83d\\ude42"}'`,
  );
  const hostile = { ...EXCHANGE, url: "http://a.example/'\n$(rm)", headers: { "x-a": "';\r\nrm" }, request: undefined };
  assert.match(toCurl(hostile), /^[\x20-\x7e]+$/);
});

test("exchanges get their duration and their headers, with tokens masked, in the order in which they began", async () => {
  let nowMs = 0;
  const seen: TimedExchange[] = [];
  const fetch = async () => new Response("{}");
  const timer = timeExchanges({ fetch, nowMs: () => nowMs }, (exchange) => seen.push(exchange));
  const { durationMs: _d, headers: _h, ...reported } = { ...EXCHANGE, method: "GET", url: "http://a.example/" };
  await timer.fetch("http://a.example/", { headers: { authorization: "Bearer eyJsecret" } });
  nowMs = 5;
  await timer.fetch("http://a.example/", {});
  nowMs = 20;
  timer.report(reported);
  timer.report(reported);
  assert.deepEqual(
    seen.map(({ durationMs, headers }) => [durationMs, headers]),
    [
      [20, { authorization: "Bearer $TOKEN" }],
      [15, {}],
    ],
  );
});
