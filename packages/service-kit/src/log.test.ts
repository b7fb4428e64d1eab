import assert from "node:assert/strict";
import { Writable } from "node:stream";
import { test } from "node:test";
import { createLog, type Log } from "./log.ts";
import { createSecret } from "./secret.ts";

function setupLog(pretty = false): { readonly log: Log; readonly text: () => string } {
  const lines: string[] = [];
  const destination = new Writable({
    write: (chunk, _encoding, done) => {
      lines.push(String(chunk));
      done();
    },
  });
  return { log: createLog({ service: "vault", level: "info", pretty }, destination), text: () => lines.join("") };
}

test("createLog(): one JSON object per line with time, level, service and message", () => {
  const { log, text } = setupLog();
  log.info({ ms: 3 }, "answered");
  log.debug("not at this level");
  const entries = text()
    .trim()
    .split("\n")
    .map((line) => JSON.parse(line));
  assert.equal(entries.length, 1);
  const { time, ...rest } = entries[0];
  assert.equal(new Date(time).toISOString(), time);
  assert.deepEqual(rest, { level: "info", service: "vault", ms: 3, msg: "answered" });
});

test("createLog(): credentials, payloads and secrets are not written, at any of three depths [P7]", () => {
  const { log, text } = setupLog();
  const sensitive = {
    authorization: "Bearer XX1",
    cookie: "XX2",
    token: "XX3",
    payload: { a: "XX4" },
    "set-cookie": "XX5",
  };
  log.info(sensitive, "top");
  log.info({ headers: sensitive }, "second");
  log.info({ req: { headers: sensitive } }, "third");
  log.info({ other: createSecret("XX6") }, "a secret");
  assert.doesNotMatch(text(), /XX/);
  assert.equal(text().trim().split("\n").length, 4);
});

test("createLog(): of a driver's error only type, code, message and stack are written, not the row [P7]", () => {
  const { log, text } = setupLog();
  const cause = Object.assign(new Error("duplicate key"), { code: "23505", detail: "Key (text)=(PRIVATE) exists" });
  log.error(new Error("could not store", { cause }), "write failed");
  assert.doesNotMatch(text(), /PRIVATE/);
  const { err } = JSON.parse(text());
  assert.equal(err.message, "could not store");
  assert.equal(err.cause.code, "23505");
});

test("createLog(): pretty lines are for people, with the same things hidden [P7]", () => {
  const { log, text } = setupLog(true);
  log.warn({ token: "XX1" }, "look here");
  assert.match(text(), /WARN.*look here/);
  assert.doesNotMatch(text(), /XX1|^\{/);
});
