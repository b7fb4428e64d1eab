import type { DiaryOutcome } from "./keep-diary.ts";
import type { ReadBack } from "./read-back.ts";
import type { SearchOutcome } from "./search-names.ts";

/** How many records a stage processed, and how long it took. */
export interface StageFigures {
  readonly stage: string;
  readonly count: number;
  readonly seconds: number;
}

/** All results of the demo. */
export interface DemoFigures {
  readonly stages: readonly StageFigures[];
  readonly sets: readonly { readonly name: string; readonly written: number; readonly readBack: ReadBack }[];
  readonly searches: readonly SearchOutcome[];
  readonly diary: DiaryOutcome;
}

/** Counts the records that differ from what was written or expected; the demo expects 0. Refuses: never. */
export function countMismatches({ sets, searches, diary }: DemoFigures): number {
  const strayed = sets.map(
    ({ written, readBack: { different, astray, totalCount } }) => different + astray + (totalCount === written ? 0 : 1),
  );
  const misses = searches.filter(({ found, expected }) => found !== expected).length;
  return strayed.reduce((sum, count) => sum + count, 0) + misses + diary.faults.length;
}

/** Writes the results as a table. Refuses: never. */
export function renderFigures(figures: DemoFigures): string {
  const { stages, sets, searches, diary } = figures;
  const mismatches = countMismatches(figures);
  return [
    "",
    row(["", "records", "seconds", "per second"]),
    ...stages.map(({ stage, count, seconds }) =>
      row([stage, format(count), seconds.toFixed(1), format(Math.round(count / Math.max(seconds, 0.001)))]),
    ),
    "",
    row(["", "written", "counted", "equal", "different", "astray"]),
    ...sets.map(({ name, written, readBack }) =>
      row([name, ...[written, readBack.totalCount, readBack.equal, readBack.different, readBack.astray].map(format)]),
    ),
    "",
    ...searches.map(
      ({ script, term, found, expected, example }) =>
        `  search ${script.padEnd(9)} ${term}: ${found} found, ${expected} in the data, such as ${example}`,
    ),
    `  diary            ${diary.created} written, ${diary.updated} updates, ${diary.removed} removed`,
    `  history          ${diary.history.join(", ")}`,
    ...diary.faults.map((fault) => `  diary            WRONG: ${fault}`),
    "",
    mismatches === 0 ? "  0 mismatches: everything came back as it was written." : `  ${mismatches} MISMATCHES`,
    "",
  ].join("\n");
}

function row([name = "", ...cells]: readonly string[]): string {
  return `  ${name.padEnd(16)}${cells.map((cell) => cell.padStart(11)).join("")}`;
}

function format(count: number): string {
  return count.toLocaleString("en");
}
