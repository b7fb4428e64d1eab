import assert from "node:assert/strict";
import { test } from "node:test";
import vectors from "../../../vectors/ename.json" with { type: "json" };
import { entropyToEName } from "./derived-ename.ts";

test("entropyToEName() is the UUIDv5 of the entropy in the namespace [S1 POST /provision, decision V17, RFC 9562 A.4]", () => {
  for (const { namespace, entropy, ename } of [...vectors.derived.own, ...vectors.derived.foreign]) {
    assert.equal(entropyToEName(namespace, entropy), ename);
  }
});

test("entropyToEName() takes the namespace in any case [decision V17]", () => {
  const lower = entropyToEName("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", "x");
  assert.equal(entropyToEName("AAAAAAAA-BBBB-4CCC-8DDD-EEEEEEEEEEEE", "x"), lower);
  assert.notEqual(entropyToEName("aaaaaaaa-bbbb-4ccc-8ddd-eeeeeeeeeeee", "X"), lower);
});

test("entropyToEName() refuses a namespace that is not a UUID [decision V17]", () => {
  for (const namespace of ["", "x", "@11111111-1111-4111-8111-111111111111", "11111111111141118111111111111111"]) {
    assert.throws(() => entropyToEName(namespace, "x"), { code: "INVALID_NAMESPACE" });
  }
});

test("entropyToEName() refuses entropy that is empty or that UTF-8 cannot carry [decision V17]", () => {
  for (const entropy of ["", "\ud800"]) {
    assert.throws(() => entropyToEName("11111111-1111-4111-8111-111111111111", entropy), { code: "INVALID_ENTROPY" });
  }
});
