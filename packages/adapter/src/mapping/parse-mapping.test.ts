import assert from "node:assert/strict";
import { test } from "node:test";
import { createMappings } from "./create-mappings.ts";
import { InvalidMappings } from "./mapping-fault.ts";

const BASE = { tableName: "rows", schemaId: "s", ownerEnamePath: "ename", localToUniversalMap: { name: "name" } };

function placesOf(...documents: readonly unknown[]): readonly string[] {
  try {
    createMappings(documents.map((document, at) => ({ file: `${at}.json`, document })));
  } catch (error) {
    assert.ok(error instanceof InvalidMappings);
    return error.faults.map(({ file, key, column, code }) => `${file} ${key}:${column} ${code}`);
  }
  return [];
}

const entry = (text: unknown, localKey = "k") => ({ ...BASE, localToUniversalMap: { [localKey]: text } });
const at = (code: string, column: number, key = "localToUniversalMap.k") => [`0.json ${key}:${column} ${code}`];

const deep = `${"(".repeat(40)}a${")".repeat(40)}`;
const FAULTS: readonly (readonly [string, unknown, readonly string[]])[] = [
  ["no object", 7, ["0.json :1 WRONG_TYPE"]],
  [
    "no members",
    {},
    ["tableName", "schemaId", "ownerEnamePath", "localToUniversalMap"].map((key) => `0.json ${key}:1 MISSING_MEMBER`),
  ],
  ["a name of another type", { ...BASE, tableName: 5 }, at("WRONG_TYPE", 1, "tableName")],
  ["a text for readOnly", { ...BASE, readOnly: "yes" }, at("WRONG_TYPE", 1, "readOnly")],
  ["a list for the map", { ...BASE, localToUniversalMap: ["a"] }, at("WRONG_TYPE", 1, "localToUniversalMap")],
  ["an entry that is not a text", entry(5), at("WRONG_TYPE", 1)],
  ["an unknown form", entry("__upper(a),b"), at("UNKNOWN_FORM", 1)],
  ["a parenthesis that is not closed", entry("__date(a"), at("UNKNOWN_FORM", 8)],
  ["something behind the form", entry("__date(a) b"), at("UNKNOWN_FORM", 11)],
  ["a second alias", entry("a,b"), at("UNKNOWN_FORM", 2)],
  ["an empty path", entry("__date()"), at("INVALID_PATH", 8)],
  ["an empty name", entry("a..b"), at("INVALID_PATH", 3)],
  ["a prototype", entry("a.__proto__"), at("FORBIDDEN_NAME", 3)],
  [
    "a constructor in a local key",
    entry("a", "x.constructor"),
    at("FORBIDDEN_NAME", 3, "localToUniversalMap.x.constructor"),
  ],
  ["a prototype in a calculation", entry("__calc(a.prototype)"), at("FORBIDDEN_NAME", 8)],
  ["a list as a global field", entry("a[]"), at("INVALID_PATH", 1)],
  ["a text in a calculation", entry("__calc(a + 'b')"), at("INVALID_ARITHMETIC", 8)],
  ["a function that is not known", entry("__calc(1 + exec(a))"), at("INVALID_ARITHMETIC", 12)],
  ["an assignment", entry("__calc(a = 1)"), at("INVALID_ARITHMETIC", 10)],
  ["a calculation that is too deep", entry(`__calc(${deep})`), at("TOO_LARGE", 8)],
  ["a calculation of too many parts", entry(`__calc(${"a+".repeat(150)}a)`), at("TOO_LARGE", 8)],
  ["a text that is too long", entry("a".repeat(2_000)), at("TOO_LARGE", 1_025)],
  ["a list of times", entry("__date(a[].t),t"), at("UNKNOWN_FORM", 8)],
  ["a relation to a table without a mapping", entry("users(a.id),aId"), at("MISSING_RELATION", 1)],
  [
    "two fields of one name",
    { ...BASE, localToUniversalMap: { a: "x", b: "x" } },
    at("DUPLICATE_TARGET", 1, "localToUniversalMap.b"),
  ],
  [
    "fields calculated from each other",
    { ...BASE, localToUniversalMap: { a: "__calc(b + 1)", b: "__calc(a + 1)" } },
    at("CYCLE", 1, "localToUniversalMap.a"),
  ],
  ["an owner path with one bar", { ...BASE, ownerEnamePath: "a|b" }, at("INVALID_OWNER_PATH", 2, "ownerEnamePath")],
  [
    "an owner path without an end",
    { ...BASE, ownerEnamePath: "users(a.ename" },
    at("UNKNOWN_FORM", 7, "ownerEnamePath"),
  ],
  ["a type of time that is not known", { ...BASE, localTypes: { a: "moon" } }, at("WRONG_TYPE", 1, "localTypes.a")],
  ["loss where none is allowed", { ...entry("__calc(a * b)"), strict: true }, at("NOT_INVERTIBLE", 1)],
];

for (const [what, document, places] of FAULTS) {
  test(`a mapping with ${what} is refused at load with its place`, () => {
    assert.deepEqual(placesOf(document), places);
  });
}

test("two mappings of one table are refused", () => {
  assert.deepEqual(placesOf(BASE, BASE), ["0.json tableName:1 DUPLICATE_TABLE"]);
});

test("tables that must each wait for the other are refused as a cycle, and may wait for each other when deferred", () => {
  const users = { ...BASE, tableName: "users", localToUniversalMap: { best: "posts(best.id),bestId" } };
  const posts = { ...BASE, tableName: "posts", localToUniversalMap: { author: "users(author.id),authorId" } };
  const waiting = [users, posts].map((document) => ({ ...document, unknownReference: "error" }));
  assert.deepEqual(placesOf(...waiting), ["0.json localToUniversalMap.best:1 CYCLE"]);
  assert.deepEqual(placesOf(users, posts), []);
});

test("an object that contains itself is refused as a wrong type", () => {
  const map: Record<string, unknown> = {};
  map["self"] = map;
  assert.deepEqual(placesOf({ ...BASE, localToUniversalMap: map }), at("WRONG_TYPE", 1, "localToUniversalMap.self"));
});

test("every fault of every file is reported at once, each on a line", () => {
  assert.throws(
    () =>
      createMappings([
        { file: "a.json", document: { ...BASE, schemaId: "" } },
        { file: "b.json", document: entry("__x(1)") },
      ]),
    /^InvalidMappings: a\.json schemaId:1 WRONG_TYPE .*\nb\.json localToUniversalMap\.k:1 UNKNOWN_FORM /,
  );
});
