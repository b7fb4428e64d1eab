import assert from "node:assert/strict";
import { test } from "node:test";
import { fromGlobal } from "../mapping/convert.ts";
import { createMappings } from "../mapping/create-mappings.ts";
import type { Row } from "../sync/table-access.ts";
import { mergeChanges } from "./merge-changes.ts";

const MAPPINGS = createMappings([
  {
    file: "users",
    document: { tableName: "users", schemaId: "u", ownerEnamePath: "ename", localToUniversalMap: { name: "name" } },
  },
  {
    file: "posts",
    document: {
      ...{ tableName: "posts", schemaId: "p", ownerEnamePath: "ename" },
      localToUniversalMap: {
        ...{ text: "text", "place.city": "city", "images[].src": "urls", "lines[0].to": "to" },
        ...{ author: "users(author.id),authorId", members: "users(members[].id),memberIds" },
      },
    },
  },
]);
const POSTS = MAPPINGS.byTable.get("posts")!;

/** What a payload changes about a row, all its fields being changed. */
function merge(payload: Row, before: Row): Row {
  const lookups = { localId: (_table: string, id: string) => id, file: () => undefined };
  const { result } = fromGlobal(POSTS, payload, lookups);
  const changed = POSTS.entries.filter(({ target }) => Object.hasOwn(payload, target.text));
  return mergeChanges(changed, result, before);
}

test("unmapped members stay, whatever was there before, and the row that was read is not changed", () => {
  const before = { place: { city: "Vienna", zip: "1010" }, lines: [{ to: "a", by: "b" }, 2] };
  const copy = structuredClone(before);
  assert.deepEqual(merge({ city: "Graz" }, before), { place: { city: "Graz", zip: "1010" } });
  assert.deepEqual(merge({ city: "Graz" }, { place: null }), { place: { city: "Graz" } });
  assert.deepEqual(merge({ city: null }, {}), { place: { city: null } });
  assert.deepEqual(merge({ to: "c" }, before), { lines: [{ to: "c", by: "b" }, 2] });
  assert.deepEqual(merge({ text: "t" }, before), { text: "t" });
  assert.deepEqual(before, copy);
});

test("elements of a list keep their unmapped members when they move, and when as many are there as before", () => {
  const images = [
    { src: "1", alt: "one" },
    { src: "2", alt: "two" },
  ];
  const moved = merge({ urls: ["2", "3", "1"] }, { images });
  assert.deepEqual(moved, { images: [{ src: "2", alt: "two" }, { src: "3" }, { src: "1", alt: "one" }] });
  assert.deepEqual(merge({ urls: ["1", "9"] }, { images }), { images: [images[0], { src: "9", alt: "two" }] });
  assert.deepEqual(merge({ urls: [] }, { images }), { images: [] });
  assert.deepEqual(merge({ urls: null }, { images }), { images: null });
});

test("another row's members do not stay beside the id of a new relation", () => {
  const before = { author: { id: "1", name: "Ada" }, members: [{ id: 1, name: "Ada" }, { id: 2 }] };
  assert.deepEqual(merge({ authorId: "2" }, before), { author: { id: "2" } });
  assert.deepEqual(merge({ authorId: "1" }, before), { author: { id: "1", name: "Ada" } });
  const { members } = merge({ memberIds: ["3", "1"] }, before) as { members: unknown };
  assert.deepEqual(members, [{ id: "3" }, { id: "1", name: "Ada" }]);
});

test("a list of 20,000 elements is merged in time that grows with its length, whatever its values are", () => {
  const count = 20_000;
  const ids = Array.from({ length: count }, (_, at) => String(at));
  const images = ids.map((src) => ({ src, alt: `of ${src}` }));
  const { images: moved } = merge({ urls: ids.toReversed() }, { images }) as { images: typeof images };
  assert.deepEqual([moved[0], moved.at(-1)], [images.at(-1), images[0]]);
  const same = { images: ids.map(() => ({ src: "1", alt: "text" })) };
  const { images: numbers } = merge({ urls: ids.map(() => 1) }, same) as { images: typeof images };
  assert.deepEqual(numbers[0], { src: 1, alt: "text" }, "by its place");
  const { images: texts } = merge({ urls: [...ids.map(() => "1"), "2"] }, same) as { images: typeof images };
  assert.deepEqual([texts[count - 1], texts[count]], [{ src: "1", alt: "text" }, { src: "2" }]);
});
