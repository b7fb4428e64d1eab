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
  ["`*` lets an authenticated person read [V-CASE-031]", ["*"], person(A), "READ", true],
  ["`*` lets nobody but the owner write [V-CASE-032]", ["*"], person(A), "UPDATE", false],
  ["`*` lets nobody but the owner remove", ["*"], person(A), "DELETE", false],
  ["`*` lets the owner write [V-CASE-033]", ["*"], person(OWNER), "UPDATE", true],
  ["`*` does not let an anonymous caller read [V-CASE-034]", ["*"], anonymous, "READ", false],
  ["a listed eName reads", [A], person(A), "READ", true],
  ["a listed eName removes [V-CASE-035]", [A], person(A), "DELETE", true],
  ["an unlisted eName does not read [V-CASE-036]", [A], person(B), "READ", false],
  ["the owner is never locked out [V-CASE-037]", [A], person(OWNER), "READ", true],
  ["nothing stops the owner from writing", [A], person(OWNER), "DELETE", true],
  ["a legacy platform token satisfies the path [V-CASE-038]", [A], token, "UPDATE", true],
  ["a legacy platform token reads where it may only read", [A], readOnlyToken, "READ", true],
  ["a legacy platform token that may only read does not write", [A], readOnlyToken, "UPDATE", false],
  ["an empty array is the owner's alone [V-CASE-039]", [], person(B), "READ", false],
  ["an empty array leaves the owner in", [], person(OWNER), "READ", true],
  ["being listed beats being public [V-CASE-040]", ["*", A], person(A), "UPDATE", true],
  ["several eNames: each reads and writes", [A, B], person(B), "UPDATE", true],
  ["an anonymous caller never writes", [A, "*"], anonymous, "UPDATE", false],
];

for (const [name, acl, principal, permission, expected] of cases) {
  test(`decideByLegacyAcl(): ${name} [S1 legacy array meanings, decision V12]`, () => {
    assert.equal(decideByLegacyAcl({ owner: OWNER, acl }, principal, permission), expected);
  });
}

test("whoever is listed may do everything, so nobody listed reads without writing [V-ARR-007]", () => {
  const permissions: readonly Permission[] = ["READ", "UPDATE", "DELETE"];
  for (const acl of [[A], [A, B], ["*", A], [A, OWNER, A], [B, "*", A]]) {
    const allowed = permissions.map((permission) => decideByLegacyAcl({ owner: OWNER, acl }, person(A), permission));
    assert.deepEqual(allowed, [true, true, true], acl.join());
  }
});
