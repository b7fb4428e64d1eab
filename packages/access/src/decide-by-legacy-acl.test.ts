import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { decideByLegacyAcl } from "./decide-by-legacy-acl.ts";
import type { Permission } from "./permission.ts";
import type { Principal } from "./principal.ts";

const OWNER = parseEName("@00000000-0000-4000-8000-000000000001");
const A = parseEName("@00000000-0000-4000-8000-00000000000a");
const B = parseEName("@00000000-0000-4000-8000-00000000000b");

const anonymous: Principal = { kind: "anonymous" };
const token: Principal = { kind: "legacy-platform", writes: true };
const readOnlyToken: Principal = { kind: "legacy-platform", writes: false };
const person = (ename: typeof A): Principal => ({ kind: "person", ename });

const cases: readonly [string, readonly string[], Principal, Permission, boolean][] = [
  ["L1 `*` lets an authenticated person read", ["*"], person(A), "READ", true],
  ["L2 `*` lets nobody but the owner write", ["*"], person(A), "UPDATE", false],
  ["L2 `*` lets nobody but the owner remove", ["*"], person(A), "DELETE", false],
  ["L3 `*` lets the owner write", ["*"], person(OWNER), "UPDATE", true],
  ["L4 `*` does not let an anonymous caller read", ["*"], anonymous, "READ", false],
  ["L5 a listed eName reads", [A], person(A), "READ", true],
  ["L5 a listed eName removes", [A], person(A), "DELETE", true],
  ["L6 an unlisted eName does not read", [A], person(B), "READ", false],
  ["L7 the owner is never locked out", [A], person(OWNER), "DELETE", true],
  ["L8 a legacy platform token satisfies the path", [A], token, "UPDATE", true],
  ["L8 a legacy platform token reads where it may only read", [A], readOnlyToken, "READ", true],
  ["L8 a legacy platform token that may only read does not write", [A], readOnlyToken, "UPDATE", false],
  ["L9 an empty array is the owner's alone", [], person(B), "READ", false],
  ["L9 an empty array leaves the owner in", [], person(OWNER), "READ", true],
  ["L10 being listed beats being public", ["*", A], person(A), "UPDATE", true],
  ["several eNames: each reads and writes", [A, B], person(B), "UPDATE", true],
  ["an anonymous caller never writes", [A, "*"], anonymous, "UPDATE", false],
];

for (const [name, acl, principal, permission, expected] of cases) {
  test(`decideByLegacyAcl(): ${name} [S1 legacy array meanings, decision V12]`, () => {
    assert.equal(decideByLegacyAcl({ owner: OWNER, acl }, principal, permission), expected);
  });
}
