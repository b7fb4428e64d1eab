import assert from "node:assert/strict";
import { test } from "node:test";
import { fromGlobal, toGlobal } from "./convert.ts";
import { KNOWN_GLOBAL, KNOWN_LOCAL, mappingOf } from "./test-mapping.ts";

type Row = Readonly<Record<string, unknown>>;

/** entries, row, payload, and what comes back where that is not the row; further members. */
type Case = readonly [string, Readonly<Record<string, string>>, Row, Row, (Row | undefined)?, object?];

const uri = "ds://file?id=@00000000-0000-4000-8000-000000000001/f";
const CASES: readonly Case[] = [
  ["a value stays as it is", { a: "A" }, { a: [1, { b: null }] }, { A: [1, { b: null }] }],
  ["an absent value is left out, null stays", { a: "A", b: "B" }, { b: null }, { B: null }],
  ["a dotted name nests", { a: "p.name" }, { a: 1 }, { p: { name: 1 } }],
  ["an escaped dot does not", { a: "p\\.name" }, { a: 1 }, { "p.name": 1 }],
  ["a list of one field", { "images[].src": "urls" }, { images: [{ src: "a" }, null] }, { urls: ["a", null] }],
  ["an absent list stays absent", { "images[].src": "urls" }, {}, {}],
  ["a list that is null", { "images[].src": "urls" }, { images: null }, { urls: null }],
  [
    "a relation comes back at its inner path",
    { k: "users(owner.id),ownerId" },
    { owner: { id: "7" } },
    { ownerId: "users:7" },
  ],
  [
    "a relation of a number comes back as text",
    { k: "users(owner.id),ownerId" },
    { owner: { id: 7 } },
    { ownerId: "users:7" },
    { owner: { id: "7" } },
  ],
  ["a relation without an alias is named after its path", { k: "users(owner)" }, { owner: "7" }, { owner: "users:7" }],
  [
    "a relation that is null",
    { k: "users(owner.id),ownerId" },
    { owner: null },
    { ownerId: null },
    { owner: { id: null } },
  ],
  [
    "relations hold order and doubles",
    { k: "users(ps[].id),ids" },
    { ps: [{ id: "2" }, { id: "1" }, { id: "2" }] },
    { ids: ["users:2", "users:1", "users:2"] },
  ],
  ["an empty relation", { k: "users(ps[].id),ids" }, { ps: [] }, { ids: [] }],
  ["a relation that was not loaded erases nobody", { k: "users(ps[].id),ids" }, {}, {}],
  ["the suffix before the alias", { l: "users(userLikes)[],likedBy" }, { userLikes: ["1"] }, { likedBy: ["users:1"] }],
  [
    "the older text form on request",
    { k: "users(owner.id),ownerId", l: "users(ps[].id),ids" },
    { owner: { id: "7" }, ps: [{ id: "1" }] },
    { ownerId: "users:7", ids: ["users:1"] },
    { k: "users(7)", l: ["users(1)"] },
    { relationFormat: "table(id)" },
  ],
  [
    "a time under its own name",
    { k: "__date(at)" },
    { at: "2024-01-02 03:04:05.678901+02" },
    { at: "2024-01-02T01:04:05.678Z" },
    { at: "2024-01-02T01:04:05.678Z" },
  ],
  [
    "a time without a zone is UTC",
    { k: "__date(at),t" },
    { at: "2024-01-02T03:04:05" },
    { t: "2024-01-02T03:04:05.000Z" },
    { at: "2024-01-02T03:04:05.000Z" },
  ],
  [
    "time zero",
    { k: "__date(at),t" },
    { at: 0 },
    { t: "1970-01-01T00:00:00.000Z" },
    { at: 0 },
    { localTypes: { at: "ms" } },
  ],
  [
    "a Firestore timestamp",
    { k: "__date(at),t" },
    { at: { _seconds: 0, _nanoseconds: 5_000_000 } },
    { t: "1970-01-01T00:00:00.005Z" },
    undefined,
    { localTypes: { at: "firestore" } },
  ],
  [
    "the text of the Firestore console",
    { k: "__date(at),t" },
    { at: "August 5, 2024 at 12:00:00 PM UTC+5:30" },
    { t: "2024-08-05T06:30:00.000Z" },
    { at: "2024-08-05T06:30:00.000Z" },
  ],
  [
    "a calculated time",
    { k: "__date(calc(createdAt._seconds * 1000)),createdAt" },
    { createdAt: { _seconds: 12 } },
    { createdAt: "1970-01-01T00:00:12.000Z" },
  ],
  ["a calculation is solved for its one operand", { k: "__calc(q * 4 + 2),total" }, { q: 3 }, { total: 14 }],
  [
    "a calculation of two operands is copied to the key",
    { sum: "__calc(q * p),total" },
    { q: 3, p: 4 },
    { total: 12 },
    { sum: 12 },
  ],
  [
    "a calculation of its own key and another writes nothing",
    { q: "__calc(q * p),total" },
    { q: 3, p: 4 },
    { total: 12 },
    {},
  ],
  ["a missing operand leaves the field out", { k: "__calc(q * p),total" }, { q: 3 }, {}, {}],
  ["a text is a number on request only", { k: "__calc(q + 1),n" }, { q: "3" }, { n: 4 }, { q: 3 }, { coerce: true }],
  [
    "a file URI stays in the payload and is a URL in the row",
    { k: "__file(photo),photoUrl" },
    { photo: uri },
    { photoUrl: uri },
    { photo: `https://files.example/${uri.slice(13)}` },
  ],
  [
    "the URL of a file goes back as its URI",
    { k: "__file(photo),photoUrl" },
    { photo: `https://files.example/${uri.slice(13)}` },
    { photoUrl: uri },
  ],
  [
    "another URL, nothing and null stay",
    { a: "__file(a)", b: "__file(b)", c: "__file(c)" },
    { a: "https://x.example/a.png", b: "", c: null },
    { a: "https://x.example/a.png", b: "", c: null },
  ],
  [
    "files of elements",
    { images: "__file(images[].src),urls" },
    { images: [{ src: "https://x.example/1" }] },
    { urls: ["https://x.example/1"] },
  ],
];

for (const [what, entries, row, payload, back = row, members] of CASES) {
  test(what, () => {
    const mapping = mappingOf(entries, members);
    assert.deepEqual(toGlobal(mapping, row, KNOWN_GLOBAL).result, payload);
    assert.deepEqual(fromGlobal(mapping, payload, KNOWN_LOCAL).result, back);
  });
}

test("a dotted global field is also read under its dotted name", () => {
  assert.deepEqual(fromGlobal(mappingOf({ a: "p.name" }), { "p.name": 1 }, KNOWN_LOCAL).result, { a: 1 });
});

test("a value never goes into a scalar", () => {
  const mapping = mappingOf({ p: "P", "p.name": "N" });
  assert.throws(() => fromGlobal(mapping, { P: 1, N: 2 }, KNOWN_LOCAL), { code: "SCALAR_PARENT" });
});

const ISSUES: readonly (readonly [string, string, unknown, string])[] = [
  ["a number for a list", "users(k[].id),ids", 5, "NOT_A_LIST"],
  ["an object for an id", "users(k),id", {}, "NOT_AN_ID"],
  ["an empty id", "users(k),id", "", "NO_ID"],
  ["a text that is not a time", "__date(k)", "foo 1", "INVALID_DATE"],
  ["a time out of range", "__date(k)", 1e300, "INVALID_DATE"],
  ["seconds for milliseconds", "__date(k)", 1_700_000_000, "LOOKS_LIKE_SECONDS"],
  ["a text in a calculation", "__calc(k + 1)", "3", "NOT_A_NUMBER"],
  ["a division by zero", "__calc(1 / k)", 0, "DIVISION_BY_ZERO"],
  ["a number for a file", "__file(k)", 5, "NOT_A_FILE"],
];

for (const [what, text, value, code] of ISSUES) {
  test(`${what} is left out and reported`, () => {
    const { issues } = toGlobal(mappingOf({ k: text }), { k: value }, KNOWN_GLOBAL);
    assert.deepEqual(issues, [{ key: "k", code }]);
  });
}

test("an unknown target of a relation waits, is left out or refused, as the mapping says", () => {
  const entries = { k: "users(owner),ownerId", l: "users(ps[].id),ids" };
  const row = { owner: "1", ps: [{ id: "2" }, { id: "3" }] };
  const lookups = { ...KNOWN_GLOBAL, globalId: (_table: string, id: string) => (id === "3" ? "g3" : undefined) };
  const deferred = toGlobal(mappingOf(entries), row, lookups);
  assert.deepEqual(deferred.result, { ids: ["g3"] });
  assert.deepEqual(deferred.pending, [
    { field: "ownerId", table: "users", id: "1" },
    { field: "ids", table: "users", id: "2" },
  ]);
  assert.deepEqual(toGlobal(mappingOf(entries, { unknownReference: "omit" }), row, lookups).pending, []);
  const strict = mappingOf(entries, { unknownReference: "error" });
  assert.throws(() => toGlobal(strict, row, lookups), { code: "UNKNOWN_REFERENCE" });
});
