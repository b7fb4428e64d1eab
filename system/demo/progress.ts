/** The progress of one stage, shown until it is disposed of. */
export interface Progress extends Disposable {
  /** Counts records that are done. `note` is shown behind the count until the next one. */
  readonly add: (count: number, note?: string) => void;
  readonly done: () => number;
}

/** Where progress is shown: stderr, or any text sink. */
export interface ProgressStream {
  readonly isTTY?: boolean;
  readonly write: (text: string) => unknown;
}

const BAR_WIDTH = 28;
const REDRAW_MS = 200;
const LINE_MS = 10_000;

/**
 * Shows the progress of a stage: on a terminal one line that is redrawn, elsewhere a line every ten seconds.
 *
 * In: `nowMs`, any steady clock. Refuses: never.
 */
export function showProgress(
  to: { readonly stream: ProgressStream; readonly nowMs: () => number },
  stage: { readonly label: string; readonly total: number | undefined },
): Progress {
  const { stream, nowMs } = to;
  const startedMs = nowMs();
  let done = 0;
  let note = "";
  const line = (): string => `${describe({ ...stage, done, elapsedMs: nowMs() - startedMs })}  ${note}`.trimEnd();
  const show = stream.isTTY ? () => stream.write(`\r\x1b[2K${line()}`) : () => stream.write(`${line()}\n`);
  const timer = setInterval(show, stream.isTTY ? REDRAW_MS : LINE_MS);
  return {
    add: (count, text = "") => {
      done += count;
      note = text;
    },
    done: () => done,
    [Symbol.dispose]: () => {
      clearInterval(timer);
      show();
      if (stream.isTTY) stream.write("\n");
    },
  };
}

interface State {
  readonly label: string;
  readonly total: number | undefined;
  readonly done: number;
  readonly elapsedMs: number;
}

/**
 * Writes one line of progress: bar, count, rate, and the time that the rest takes at that rate. Without a total there is no
 * bar.
 *
 * Refuses: never.
 */
export function describe({ label, total, done, elapsedMs }: State): string {
  const rate = elapsedMs === 0 ? 0 : (done * 1000) / elapsedMs;
  const pace = `${Math.round(rate).toLocaleString("en")}/s`;
  if (total === undefined) return `${label.padEnd(12)}${done.toLocaleString("en")}  ${pace}`;
  const share = total === 0 ? 1 : Math.min(1, done / total);
  const filled = Math.round(share * BAR_WIDTH);
  const bar = `${"#".repeat(filled)}${"-".repeat(BAR_WIDTH - filled)}`;
  const left = done >= total ? `in ${formatSeconds(elapsedMs)}` : rate === 0 ? "" : remaining((total - done) / rate);
  const count = `${done.toLocaleString("en")} of ${total.toLocaleString("en")}`;
  return `${label.padEnd(12)}[${bar}] ${count}  ${pace}  ${left}`.trimEnd();
}

function remaining(seconds: number): string {
  return `about ${formatSeconds(seconds * 1000)} left`;
}

function formatSeconds(ms: number): string {
  const seconds = Math.round(ms / 1000);
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`;
}
