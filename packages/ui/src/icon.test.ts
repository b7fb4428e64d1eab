import assert from "node:assert/strict";
import { test } from "node:test";
import { readIcons } from "../generate/generated-icons.ts";
import { avatarShape } from "./shapes/avatar-shape.ts";
import { ICON_PATHS } from "./shapes/icon-paths.ts";

test("the icons are those of the set", () => {
  assert.deepEqual(ICON_PATHS, readIcons());
});

test("an avatar depends on its text alone, and different texts rarely share one", () => {
  assert.deepEqual(avatarShape("@a"), avatarShape("@a"));
  const drawn = new Set(Array.from({ length: 1_000 }, (_, at) => JSON.stringify(avatarShape(`@${at}`))));
  assert.ok(drawn.size > 990, String(drawn.size));
});

test("an avatar of any text is drawn, also of none and of 10,000 letters", () => {
  for (const seed of ["", "\u0000", "😀", "\ud800", "x".repeat(10_000)]) {
    const { tiles } = avatarShape(seed);
    assert.equal(tiles.length, 4);
    for (const { d, fill } of tiles) assert.match(`${d} ${fill}`, /^M\d+ \d+[a-z\d .-]+ oklch\([\d.% ]+\)$/);
  }
});
