import assert from "node:assert/strict";
import { test } from "node:test";
import { findWalkFaults } from "./walk-steps.ts";

const sources = new Map([["src/door.ts", "export function openDoor() {}\n\nconst store = {\n  write() {},\n};\n"]]);
const faultsOf = (text: string) => findWalkFaults("walk.md", text, (file) => sources.get(file));

test("a walk whose steps name existing files and functions has no fault", () => {
  assert.deepEqual(
    faultsOf("| 1 | `src/door.ts` `openDoor()` | opens |\n| 2 | `src/door.ts` `write()` | writes |\n"),
    [],
  );
  assert.deepEqual(faultsOf("1. In `src/door.ts`,\n   `openDoor()` opens.\n"), []);
});

test("a step whose file or function is gone is a fault", () => {
  assert.deepEqual(faultsOf("| 1 | `src/gone.ts` `openDoor()` | opens |\n"), [
    "walk.md names src/gone.ts, which does not exist",
    "walk.md step 1 names no file or no function",
  ]);
  assert.deepEqual(faultsOf("| 1 | `src/door.ts` `closeDoor()` | closes |\n"), [
    "walk.md step 1 names closeDoor(), which none of its files declares",
  ]);
});

test("a step without a function, and a walk without a step, are faults", () => {
  assert.deepEqual(faultsOf("| 1 | `src/door.ts` | opens |\n"), ["walk.md step 1 names no file or no function"]);
  assert.deepEqual(faultsOf("Nothing happens.\n"), ["walk.md has no numbered step"]);
});
