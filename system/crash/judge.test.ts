import assert from "node:assert/strict";
import { test } from "node:test";
import type { DriverLine } from "./driver.ts";
import { createFaults } from "./faults.ts";
import { judgeArrivals } from "./judge-arrivals.ts";
import { type HistoryRow, judgeHistory } from "./judge-history.ts";
import type { ReceiverLine } from "./receiver-child.ts";

const A = "@owner record-a";

async function* each<T>(entries: readonly T[]): AsyncGenerator<T> {
  yield* entries;
}

const WRITTEN: readonly DriverLine[] = [
  ["meant", 1, "create", null],
  ["done", 1, A],
  ["meant", 2, "update", A],
  ["unknown", 2, "the answer was lost"],
  ["meant", 3, "update", A],
  ["refused", 3, "CONFLICT"],
  ["meant", 4, "remove", A],
  ["done", 4, A],
];
const ROWS: readonly HistoryRow[] = [
  { stream: A, version: 1, operation: "create", n: 1 },
  { stream: A, version: 2, operation: "update", n: 2 },
  { stream: A, version: 3, operation: "delete", n: null },
];

async function historyFaults(written: readonly DriverLine[], rows: readonly HistoryRow[]): Promise<string> {
  const faults = createFaults();
  await judgeHistory(each(written), each(rows), faults);
  return faults.first.join("\n");
}

test("a history in which every acknowledged write is once and no refused one is holds; an unknown one may be there or not", async () => {
  assert.equal(await historyFaults(WRITTEN, ROWS), "");
  assert.equal(await historyFaults(WRITTEN, [ROWS[0]!, { ...ROWS[2]!, version: 2 }]), "");
});

const WRONG_HISTORIES: Readonly<Record<string, readonly [readonly HistoryRow[], RegExp]>> = {
  "a lost write": [
    [
      { ...ROWS[1]!, version: 1 },
      { ...ROWS[2]!, version: 2 },
    ],
    /write 1 .* is lost/,
  ],
  "a lost removal": [ROWS.slice(0, 2), /write 4 .* is lost/],
  "a refused write": [
    [...ROWS.slice(0, 2), { ...ROWS[1]!, version: 3, n: 3 }, { ...ROWS[2]!, version: 4 }],
    /write 3 was refused/,
  ],
  "a write twice": [
    [...ROWS.slice(0, 2), { ...ROWS[1]!, version: 3 }, { ...ROWS[2]!, version: 4 }],
    /write 2 is there twice/,
  ],
  "a gap": [[ROWS[0]!, { ...ROWS[1]!, version: 3 }, { ...ROWS[2]!, version: 4 }], /version 3 is where 2 should be/],
  "a write at another record": [[{ ...ROWS[0]!, stream: "@owner record-b" }, ...ROWS.slice(2)], /write 1 is not in/],
};

for (const [what, [rows, says]] of Object.entries(WRONG_HISTORIES)) {
  test(`a history with ${what} is reported`, async () => {
    assert.match(await historyFaults(WRITTEN, rows), says);
  });
}

function arrived(
  version: number,
  changes: { readonly n?: number; readonly id?: string; readonly hash?: string } = {},
): ReceiverLine {
  const event = { eventId: changes.id ?? `event-${version}`, stream: A, version, n: changes.n ?? version };
  return ["arrived", "one", event, changes.hash ?? `hash-${version}`, false];
}
const applied = (version: number): ReceiverLine => ["applied", "one", A, version];
const IN_ORDER: readonly ReceiverLine[] = [1, 2, 3].flatMap((version) => [arrived(version), applied(version)]);

async function arrivalsOf(lines: readonly ReceiverLine[]) {
  const faults = createFaults();
  const history = new Map([[A, [1, 2, 3]]]);
  const counts = await judgeArrivals(each(lines), { history, subscribers: ["one"] }, faults);
  return { ...counts, faults: faults.first.join("\n") };
}

test("arrivals in order hold, and repeats of what came before, however late, are counted as duplicates", async () => {
  const { faults, arrivals, duplicates } = await arrivalsOf([...IN_ORDER, arrived(2), arrived(1)]);
  assert.deepEqual({ faults, arrivals, duplicates }, { faults: "", arrivals: 5, duplicates: 2 });
});

const WRONG_ARRIVALS: Readonly<Record<string, readonly [readonly ReceiverLine[], RegExp]>> = {
  "a version that never came": [IN_ORDER.slice(0, 4), /record-a 3 never came/],
  "a version before its predecessor": [
    [...IN_ORDER.slice(0, 2), ...IN_ORDER.slice(4), ...IN_ORDER.slice(2, 4)],
    /2 came for the first time after 3/,
  ],
  "a repeat with other bytes": [[...IN_ORDER, arrived(2, { hash: "other" })], /event event-2 was .* and then/],
  "an event id for two versions": [
    [...IN_ORDER.slice(0, 2), arrived(2, { id: "event-1" }), applied(2), ...IN_ORDER.slice(4)],
    /event event-1 was/,
  ],
  "the content of another write": [
    [...IN_ORDER.slice(0, 4), arrived(3, { n: 2 }), applied(3)],
    /came with write 2, the version has 3/,
  ],
  "what nobody wrote": [[...IN_ORDER, arrived(4)], /4 came and is not in the history/],
  "an event applied twice": [[...IN_ORDER, applied(3)], /3 applied after 3/],
  "an event passed over": [
    [...IN_ORDER.slice(0, 2), arrived(2), ...IN_ORDER.slice(4), ...IN_ORDER.slice(3, 4)],
    /3 applied after 1/,
  ],
  "an event not applied": [[...IN_ORDER.slice(0, 5)], /applied to 2 of 3/],
  "a webhook that was not taken": [[...IN_ORDER, ["refused", "one", "401"]], /one: 401/],
};

for (const [what, [lines, says]] of Object.entries(WRONG_ARRIVALS)) {
  test(`a run with ${what} is reported`, async () => {
    assert.match((await arrivalsOf(lines)).faults, says);
  });
}
