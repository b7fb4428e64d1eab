import { UpstreamError } from "@dataspace/clients/upstream-error";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { Environment } from "../service.ts";
import { type DataSet, loadDataSets } from "./demo-data.ts";
import { createDemoOwners } from "./demo-owners.ts";
import { countMismatches, type DemoFigures, renderFigures, type StageFigures } from "./demo-report.ts";
import { findDataSpace } from "./find-data-space.ts";
import { openGraphQLConnection } from "./graphql-connection.ts";
import { keepDiary } from "./keep-diary.ts";
import { type Progress, type ProgressStream, showProgress } from "./progress.ts";
import { type ReadBack, readBack } from "./read-back.ts";
import { searchNames } from "./search-names.ts";
import { type VaultAccess, type WrittenSet, writeRecords } from "./write-records.ts";

/** The demo's options: `cityLimit` limits the cities; `abort` ends it early and cleanly. */
export interface DemoRun {
  readonly env: Environment;
  readonly cityLimit: number | undefined;
  readonly abort: AbortSignal;
  /** Where figures go (stdout) and where progress is shown (stderr). */
  readonly print: (text: string) => void;
  readonly progressTo: ProgressStream;
}

const IN_FLIGHT = 32;
const EXIT_MISMATCH = 1;
const EXIT_INTERRUPTED = 130;
/** sysexits EX_TEMPFAIL: the same command may work later. */
const EXIT_AGAIN = 75;

/**
 * Writes real data into new vaults, reads all of it back, and compares: countries and cities by a platform, a diary by
 * a person's wallet.
 *
 * Out: the exit code: 0 when everything came back as written, 1 when not, 130 when interrupted.
 * Refuses: StartupError 78 without a data space, 75 when a service refuses or goes away. Source: decision P5.
 */
export async function runDemo(run: DemoRun): Promise<number> {
  const stages: StageFigures[] = [];
  try {
    const figures = await demonstrate(run, stages);
    run.print(renderFigures(figures));
    return countMismatches(figures) === 0 ? 0 : EXIT_MISMATCH;
  } catch (error) {
    if (!run.abort.aborted) throw toStartupError(error);
    const written = stages.map(({ stage, count }) => `${stage} ${count.toLocaleString("en")} records`);
    run.print(`Interrupted: ${written.join(", ") || "nothing was written"}.`);
    return EXIT_INTERRUPTED;
  }
}

/** One sentence says what a person can do; an internal error stays unchanged. */
function toStartupError(error: unknown): unknown {
  if (!(error instanceof UpstreamError)) return error;
  const isGone = error.code === "unreachable" || error.code === "timeout";
  const advice = isGone ? "Start the data space with npm start and run the demo again." : "Run the demo again.";
  return new StartupError(`${error.message} ${advice}`, EXIT_AGAIN);
}

async function demonstrate(run: DemoRun, stages: StageFigures[]): Promise<DemoFigures> {
  await using opened = new AsyncDisposableStack();
  const space = await findDataSpace(opened, run.env, { report: run.print, abort: run.abort });
  const config = { vaultUrl: space.vaultUrl, connections: IN_FLIGHT, signal: run.abort };
  const connection = opened.use(openGraphQLConnection(config));
  const { countries, cities, person } = await createDemoOwners(space, connection);
  const data = loadDataSets(run.cityLimit);
  const sets = [toWritten(data.countries, countries), toWritten(data.cities, cities)] as const;
  run.print(`Registry ${space.registryUrl}, vault ${space.vaultUrl}`);
  for (const { set, access } of sets) run.print(`${access.owner} gets ${set.records.length} ${set.name}`);
  run.print(`${person.owner} keeps a diary with a wallet`);
  const total = sets.reduce((sum, { set }) => sum + set.records.length, 0);
  const inStage = <T>(label: string, work: (progress: Progress) => Promise<T>): Promise<T> =>
    measure({ stages, label, total, stream: run.progressTo }, work);
  await inStage("written", (progress) => writeRecords({ connection, progress }, sets, IN_FLIGHT));
  const found = await inStage("read back", (progress) =>
    Promise.all(sets.map(async (written) => toFigures(written, await readBack({ connection, progress }, written)))),
  );
  const searches = await searchNames(connection, sets[0]);
  const diary = await keepDiary(person);
  return { stages, sets: found, searches, diary };
}

/** Shows a stage's progress and records its result, also for an interrupted stage. */
async function measure<T>(
  to: {
    readonly stages: StageFigures[];
    readonly label: string;
    readonly total: number;
    readonly stream: ProgressStream;
  },
  work: (progress: Progress) => Promise<T>,
): Promise<T> {
  const { stages, label, total, stream } = to;
  const startedMs = performance.now();
  using progress = showProgress({ stream, nowMs: () => performance.now() }, { label, total });
  try {
    return await work(progress);
  } finally {
    stages.push({ stage: label, count: progress.done(), seconds: (performance.now() - startedMs) / 1000 });
  }
}

function toWritten(set: DataSet, access: VaultAccess): WrittenSet {
  return { set, access, indexById: new Map() };
}

function toFigures({ set }: WrittenSet, found: ReadBack): DemoFigures["sets"][number] {
  return { name: set.name, written: set.records.length, readBack: found };
}
