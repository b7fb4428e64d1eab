import assert from "node:assert/strict";
import { test } from "node:test";
import { askRefusal } from "./support/ask.ts";
import { SHARED_SECRET, startTestRegistry } from "./support/start-test-registry.ts";

const ENAME = "@5ecf7860-1190-592e-925a-b2c6e0f95ff0";
const ROW = { ename: ENAME, uri: "http://127.0.0.1:4000", vault: "v" };
/** The longest text in a body of 1 MiB. */
const LONG = "x".repeat(1_048_400);
/** The longest text in the head of a request. */
const LONG_QUERY = "x".repeat(12_000);

type Send = Parameters<typeof askRefusal>[1];

const FIELDS: Readonly<Record<string, readonly [string, Send, string]>> = {
  "register ename": ["/register", { body: { ...ROW, ename: LONG } }, "400 BAD_REQUEST"],
  "register uri": ["/register", { body: { ...ROW, uri: `http://${LONG}` } }, "400 BAD_REQUEST"],
  "register vault": ["/register", { body: { ...ROW, vault: LONG } }, "400 BAD_REQUEST"],
  "change ename": ["/register", { method: "PATCH", body: { ...ROW, ename: LONG } }, "400 BAD_REQUEST"],
  "change uri": ["/register", { method: "PATCH", body: { ename: ENAME, uri: `http://${LONG}` } }, "400 BAD_REQUEST"],
  "change vault": ["/register", { method: "PATCH", body: { ename: ENAME, vault: LONG } }, "400 BAD_REQUEST"],
  "withdraw ename": [`/register?ename=${LONG_QUERY}`, { method: "DELETE" }, "400 BAD_REQUEST"],
  "certificate ename": ["/key-binding-certificate", { body: { ename: LONG, publicKey: "z" } }, "400 BAD_REQUEST"],
  "certificate key": ["/key-binding-certificate", { body: { ename: ENAME, publicKey: LONG } }, "400 BAD_REQUEST"],
  platform: ["/platforms/certification", { body: { platform: LONG } }, "400 BAD_REQUEST"],
  "resolve dsid": [`/resolve?dsid=${LONG_QUERY}`, {}, "400 BAD_REQUEST"],
  "list cursor": [`/list?cursor=${LONG_QUERY}`, {}, "400 BAD_CURSOR"],
  "list limit": [`/list?limit=${"1".repeat(12_000)}`, {}, "400 BAD_REQUEST"],
  "a body over 1 MiB": ["/register", { body: { ...ROW, vault: LONG.repeat(2) } }, "413 PAYLOAD_TOO_LARGE"],
};

test("a text as long as a request can carry is refused with a code in each field of the registry [decision V25]", async (t) => {
  const { url } = await startTestRegistry(t);
  const headers = { authorization: `Bearer ${SHARED_SECRET}` };
  const outcomes: Record<string, string> = {};
  for (const [field, [path, send]] of Object.entries(FIELDS)) {
    outcomes[field] = await askRefusal(url + path, { ...send, headers });
  }
  assert.deepEqual(outcomes, Object.fromEntries(Object.entries(FIELDS).map(([field, [, , code]]) => [field, code])));
});
