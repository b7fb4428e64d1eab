import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { fromGlobal, toGlobal } from "./convert.ts";
import { KNOWN_GLOBAL, KNOWN_LOCAL, mappingOf } from "./test-mapping.ts";

const RUNS = 10_000;

const json = fc.jsonValue({ maxDepth: 2 });
const id = fc.oneof(fc.uuid(), fc.integer({ min: 1, max: 1e9 }), fc.string({ minLength: 1, maxLength: 12 }));
const maybe = <T>(value: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 6, arbitrary: value }, fc.constant(null), fc.constant(undefined));
const row = (members: Readonly<Record<string, fc.Arbitrary<unknown>>>) => fc.record(members, { requiredKeys: [] });
const ms = fc.integer({ min: -8.64e15, max: 8.64e15 });
const time = fc.oneof(
  fc.date(),
  ms,
  ms.map((value) => (Number.isFinite(new Date(value).getTime()) ? new Date(value).toISOString() : "never")),
  fc.bigInt({ min: -(10n ** 15n), max: 10n ** 15n }),
  fc.record({ _seconds: fc.integer(), _nanoseconds: fc.integer({ min: 0, max: 999_999_999 }) }),
  fc.record({ seconds: fc.integer(), nanoseconds: fc.integer({ min: 0, max: 999_999_999 }) }),
  ms.map((value) => ({ toDate: () => new Date(value) })),
  fc.constant("August 5, 2024 at 12:00:00 PM UTC+5:30"),
  fc.constant("Mon, 25 Dec 1995 13:30:00 +0430"),
  json,
);
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true, min: -1e12, max: 1e12 }), fc.integer(), json);
const file = fc.oneof(
  fc.string().map((text) => `data:text/plain,${encodeURIComponent(text)}`),
  fc.webUrl(),
  fc.uuid().map((uuid) => `ds://file?id=@${uuid}/x`),
  fc.uuid().map((uuid) => `https://files.example/@${uuid}/x`),
  fc.constant(""),
  fc.constant(null),
);
const list = <T>(element: fc.Arbitrary<T>) => maybe(fc.array(element, { maxLength: 4 }));

const dates = (localType: string) => ({ localTypes: { "at.time": localType } });
const FORMS: readonly (readonly [string, Readonly<Record<string, string>>, fc.Arbitrary<object>, object?])[] = [
  ["a field under another name", { a: "A", b: "b" }, row({ a: json, b: json })],
  ["a dotted global field", { a: "p.name", b: "p.q.r" }, row({ a: json, b: json })],
  ["a global field with a dot in its name", { a: "p\\.name" }, row({ a: json })],
  [
    "a dotted local field",
    { "p.name": "N", "p.q.r": "M" },
    row({ p: maybe(row({ name: json, q: maybe(row({ r: json })) })) }),
  ],
  [
    "an element of an array",
    { "p[2].name": "N", "r[0]": "R" },
    row({ p: list(maybe(row({ name: json }))), r: list(json) }),
  ],
  ["a field of each element", { "images[].src": "urls" }, row({ images: list(maybe(row({ src: json, alt: json }))) })],
  [
    "two fields of each element",
    { "images[].src": "urls", "images[].alt": "alts" },
    row({ images: list(maybe(row({ src: json, alt: json }))) }),
  ],
  ["a whole array", { "tags[]": "tags" }, row({ tags: list(json) })],
  [
    "a relation",
    { k: "users(owner.id),ownerId", l: "posts(parentId),parentId" },
    row({ owner: maybe(row({ id: maybe(fc.oneof(id, json)) })), parentId: maybe(id) }),
  ],
  ["a relation without an alias", { k: "users(owner)" }, row({ owner: maybe(id) })],
  ["relations", { k: "users(ps[].id),ids" }, row({ ps: list(maybe(row({ id: maybe(fc.oneof(id, json)) }))) })],
  ["relations with the suffix", { k: "users(likes)[],likedBy" }, row({ likes: list(fc.oneof(id, json)) })],
  ["a time", { k: "__date(at.time),t", l: "__date(other)" }, row({ at: maybe(row({ time })), other: maybe(time) })],
  ["a time held as a Date", { k: "__date(at.time),t" }, row({ at: maybe(row({ time })) }), dates("date")],
  ["a time held as milliseconds", { k: "__date(at.time),t" }, row({ at: maybe(row({ time })) }), dates("ms")],
  ["a time held as seconds", { k: "__date(at.time),t" }, row({ at: maybe(row({ time })) }), dates("s")],
  [
    "a time held as a Firestore timestamp",
    { k: "__date(at.time),t" },
    row({ at: maybe(row({ time })) }),
    dates("firestore"),
  ],
  [
    "a calculated time",
    { k: "__date(calc(t._seconds * 1000)),t", l: "__date(__calc(m * 60000 + 12)),m" },
    row({ t: maybe(row({ _seconds: number })), m: number }),
  ],
  [
    "a calculation with one operand",
    { k: "__calc(q * 3.7 - 12),total", l: "__calc((1 - r) / 7),r" },
    row({ q: number, r: number }),
  ],
  ["a calculation of a field that is mapped itself", { q: "q", k: "__calc(q * 2),double" }, row({ q: number })],
  ["a file", { k: "__file(photo),photoUrl", l: "__file(cv)" }, row({ photo: fc.oneof(file, json), cv: maybe(file) })],
  ["files", { k: "__file(images),urls" }, row({ images: list(fc.oneof(file, json)) })],
  ["files of elements", { k: "__file(images[].src),urls" }, row({ images: list(maybe(row({ src: maybe(file) }))) })],
];

for (const [form, entries, rows, members] of FORMS) {
  test(`the way out, back and out again gives the same payload: ${form}`, () => {
    const mapping = mappingOf(entries, members);
    let converted = 0;
    fc.assert(
      fc.property(rows, (given) => {
        const once = toGlobal(mapping, given as Record<string, unknown>, KNOWN_GLOBAL).result;
        const back = fromGlobal(mapping, once, KNOWN_LOCAL).result;
        const twice = toGlobal(mapping, back, KNOWN_GLOBAL).result;
        if (Object.keys(once).length > 0) converted += 1;
        assert.deepEqual(twice, once);
      }),
      { numRuns: RUNS },
    );
    assert.ok(converted > RUNS / 4, `only ${converted} rows had something to convert`);
  });
}
