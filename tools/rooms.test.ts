import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { type TestContext, test } from "node:test";
import type { Room } from "./room.ts";
import { findRoomFaults } from "./room-faults.ts";

const low: Room = { room: "low", at: "packages/low", says: "Below.", mayImport: [], outside: ["jose"] };
const door: Room = { room: "app/door", at: "apps/app/src/door", says: "In.", mayImport: ["low"], outside: ["node:*"] };
const store: Room = { room: "app/store", at: "apps/app/src/store", says: "Rows.", mayImport: [], outside: [] };
const rooms = [low, door, store];

/** A tree of the three rooms, with `files` beside the smallest file each room needs. */
function findFaultsIn(
  t: TestContext,
  files: Readonly<Record<string, string>>,
  table: readonly Room[] = rooms,
): string[] {
  const root = mkdtempSync(path.join(tmpdir(), "rooms-"));
  t.after(() => rmSync(root, { recursive: true }));
  const base = {
    "packages/low/package.json": '{"name":"@dataspace/low","exports":{"./*":"./src/*.ts"}}',
    "packages/low/src/a.ts": 'import "jose";\n',
    "apps/app/package.json": '{"name":"@dataspace/app"}',
    "apps/app/src/door/open.ts": 'import fs from "node:fs";\nimport { a } from "@dataspace/low/a";\n',
    "apps/app/src/store/rows.ts": "export const rows = 1;\n",
  };
  for (const [file, text] of Object.entries({ ...base, ...files })) {
    mkdirSync(path.dirname(path.join(root, file)), { recursive: true });
    writeFileSync(path.join(root, file), text);
  }
  return findRoomFaults(root, table);
}

test("rooms: a tree that follows the table has no fault", (t) => {
  assert.deepEqual(findFaultsIn(t, {}), []);
});

const refused: readonly (readonly [string, Readonly<Record<string, string>>, RegExp])[] = [
  [
    "a room that is not in its list",
    { "apps/app/src/store/rows.ts": 'import { open } from "../door/open.ts";' },
    /not app\/door$/,
  ],
  [
    "a forbidden type import",
    { "apps/app/src/store/rows.ts": 'import type {\n  Open,\n} from "../door/open.ts";' },
    /not app\/door$/,
  ],
  [
    "a forbidden import()",
    { "apps/app/src/store/rows.ts": 'const x = await import("../door/open.ts");' },
    /not app\/door$/,
  ],
  [
    "a forbidden re-export",
    { "apps/app/src/store/rows.ts": 'export { open } from "../door/open.ts";' },
    /not app\/door$/,
  ],
  ["an app from a package", { "packages/low/src/a.ts": 'import "@dataspace/app/src/store/rows";' }, /not app\/store$/],
  ["a built-in of Node", { "packages/low/src/a.ts": 'import { readFile } from "fs/promises";' }, /low may use jose$/],
  [
    "a package that is not in its list",
    { "apps/app/src/store/rows.ts": 'import pg from "pg";' },
    /may use nothing from outside$/,
  ],
  [
    "another workspace by a relative path",
    { "apps/app/src/door/open.ts": 'import "../../../../packages/low/src/a.ts";' },
    /use the package's name$/,
  ],
  [
    "a main.ts",
    { "apps/app/src/door/open.ts": 'import "./main.ts";', "apps/app/src/door/main.ts": "" },
    /only the command line imports a main.ts$/,
  ],
  [
    "a test",
    { "apps/app/src/door/open.ts": 'import "./x.test.ts";', "apps/app/src/door/x.test.ts": "" },
    /only tests import from tests$/,
  ],
];
for (const [what, files, expected] of refused) {
  test(`rooms: importing ${what} is a fault`, (t) => {
    const faults = findFaultsIn(t, files);
    assert.equal(faults.length, 1, faults.join("\n"));
    assert.match(faults[0] ?? "", expected);
  });
}

test("rooms: a file outside every room is a fault", (t) => {
  assert.match(findFaultsIn(t, { "apps/app/src/stray.ts": "" }).join(), /^apps\/app\/src\/stray\.ts is in no room/);
});

test("rooms: a new folder of a workspace with inner rooms needs a row of its own", (t) => {
  const table = [...rooms, { ...low, room: "app", at: "apps/app" }];
  const files = { "apps/app/src/server.ts": "", "apps/app/src/new/thing.ts": "", "apps/app/spec/x/y.ts": "" };
  assert.match(findFaultsIn(t, files, table).join(), /^apps\/app\/src\/new\/thing\.ts is in no room[^,]*$/);
});

test("rooms: a room that opens its inner rooms does so to other workspaces, not to its own", (t) => {
  const inner: Room = { room: "low/inner", at: "packages/low/src/inner", says: "In it.", mayImport: [], outside: [] };
  const files = {
    "packages/low/src/inner/b.ts": "export const b = 1;\n",
    "apps/app/src/door/open.ts": 'import { b } from "@dataspace/low/inner/b";\n',
  };
  const opened: readonly Room[] = [{ ...low, opensInner: true }, inner, door, store];
  assert.deepEqual(findFaultsIn(t, files, opened), []);
  assert.match(findFaultsIn(t, files, [low, inner, door, store]).join("\n"), /not low\/inner$/);
  const ownUse = { ...files, "packages/low/src/a.ts": 'import "jose";\nimport { b } from "./inner/b.ts";\n' };
  assert.match(findFaultsIn(t, ownUse, opened).join("\n"), /low may import no other room, not low\/inner$/);
});

test("rooms: an import cycle of types only is a fault", (t) => {
  const files = {
    "apps/app/src/store/a.ts": 'import type { B } from "./b.ts";',
    "apps/app/src/store/b.ts": 'import type { A } from "./a.ts";',
  };
  assert.deepEqual(findFaultsIn(t, files), ["import cycle: apps/app/src/store/a.ts -> apps/app/src/store/b.ts"]);
});

test("rooms: comments, strings and templates are not imports", (t) => {
  const text = '// import "pg";\n/*\nimport "pg";\n*/\nconst a = `\nimport "pg";\n`;\nconst b = "import(\'pg\')";\n';
  assert.deepEqual(findFaultsIn(t, { "apps/app/src/store/rows.ts": text }), []);
});

test("rooms: a test may use its own workspace, packages and built-ins, but no app above it", (t) => {
  const near = 'import "node:test";\nimport "../door/open.ts";\nimport "@dataspace/low/a";\n';
  assert.deepEqual(findFaultsIn(t, { "apps/app/src/store/rows.test.ts": near }), []);
  const above = { "packages/low/src/a.test.ts": 'import "../../../apps/app/src/door/open.ts";' };
  assert.equal(findFaultsIn(t, above).length > 0, true);
});

test("rooms: a row without its folder, an unknown name and rooms that may import each other are faults", (t) => {
  const table: readonly Room[] = [
    { ...low, mayImport: ["app/door"] },
    { ...door, mayImport: ["low", "nowhere"] },
    store,
    { ...store, room: "gone", at: "apps/gone" },
  ];
  assert.deepEqual(findFaultsIn(t, {}, table), [
    "room app/door may import nowhere, which does not exist",
    "room gone: apps/gone does not exist; remove its row",
    "the table lets rooms import each other: app/door, low",
  ]);
});
