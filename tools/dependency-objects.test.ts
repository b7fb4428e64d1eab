import assert from "node:assert/strict";
import { test } from "node:test";
import { findLargeObjects, readModule } from "./dependency-objects.ts";

const ELSEWHERE = readModule(
  "base.ts",
  "export interface Base { readonly a: A; readonly b: B; c(): C }\nexport type Keys = Pick<Base, 'a' | 'b'>;",
);

/** The sizes of the objects that are too large, by name. */
function sizesIn(text: string): Record<string, number> {
  const imports = `import { type Base, type Keys as Names } from "./base.ts";\n`;
  const found = findLargeObjects(readModule("a.ts", imports + text), () => ELSEWHERE);
  return Object.fromEntries(found.map(({ name, members }) => [name, members.length]));
}

test("an object of dependencies with seven members is found, and one with six passes", () => {
  const members = "d: D; readonly e: E; f?: F; 'g': G;";
  assert.deepEqual(sizesIn(`export interface SevenDeps extends Base { ${members} }`), { SevenDeps: 7 });
  assert.deepEqual(sizesIn("interface SixDeps extends Base { d: D; e: E; f: F }"), {});
  assert.deepEqual(sizesIn(`type SevenParts = Base & { ${members} };`), { SevenParts: 7 });
  assert.deepEqual(sizesIn(`type SevenDependencies = Readonly<Base> & ({ ${members} });`), { SevenDependencies: 7 });
});

test("members that are taken from another type count as they are taken, and repeated ones count once", () => {
  const many = "interface Many { m: M; n: N; o: O; p: P; q: Q; r: R }\n";
  assert.deepEqual(sizesIn(`${many}interface OwnDeps extends Many, Pick<Base, "a"> {}`), { OwnDeps: 7 });
  assert.deepEqual(sizesIn(`${many}interface OwnDeps extends Many, Names {}`), { OwnDeps: 8 });
  assert.deepEqual(sizesIn(`${many}interface OwnDeps extends Many, Omit<Base, "a" | "b"> {}`), { OwnDeps: 7 });
  assert.deepEqual(sizesIn(`${many}interface OwnDeps extends Many, Omit<Base, keyof Base> {}`), {});
  assert.deepEqual(sizesIn(`${many}interface OwnDeps extends Many { readonly m: Narrower }`), {});
});

test("other types may have any number of members", () => {
  assert.deepEqual(sizesIn("interface Row { a: A; b: B; c: C; d: D; e: E; f: F; g: G }"), {});
});
