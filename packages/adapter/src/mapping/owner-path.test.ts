import assert from "node:assert/strict";
import { test } from "node:test";
import { findOwner, parseOwnerPath } from "./owner-path.ts";

const ADA = "@11111111-1111-4111-8111-111111111111";
const BOB = "@22222222-2222-4222-8222-222222222222";

const CASES: readonly (readonly [string, string, Readonly<Record<string, unknown>>, string | undefined])[] = [
  ["a field", "ename", { ename: ADA }, ADA],
  ["a field without the @", "ename", { ename: ADA.slice(1).toUpperCase() }, ADA],
  ["a dotted field", "owner.ename", { owner: { ename: ADA } }, ADA],
  ["a field behind a table", "users(createdBy.ename)", { createdBy: { ename: ADA } }, ADA],
  ["a value that is table(@eName)", "owner", { owner: `users(${ADA})` }, ADA],
  ["the first eName of a list", "users(ps[].ename)", { ps: [{ ename: "Bob" }, { ename: BOB }, { ename: ADA }] }, BOB],
  ["an empty list lets the next be tried", "users(ps[].ename)||ename", { ps: [], ename: ADA }, ADA],
  ["nothing, null and empty let the next be tried", "a||b||c||d", { b: null, c: "", d: ADA }, ADA],
  ["a value that is not an eName lets the next be tried", "name||ename", { name: "Ada", ename: ADA }, ADA],
  ["nobody", "ename", { ename: "null" }, undefined],
  ["an inherited field is not read", "toString.name||constructor2", {}, undefined],
];

for (const [what, text, row, owner] of CASES) {
  test(`the owner of a row: ${what}`, () => {
    assert.equal(findOwner(parseOwnerPath(text), row), owner);
  });
}
