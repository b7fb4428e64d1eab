const WIDTH = 24;

/** Where progress is shown. */
export interface ProgressOutput {
  readonly isTTY?: boolean | undefined;
  readonly write: (text: string) => unknown;
}

/** How far a command is. `done` and `total` count the same things; `total` is undefined where it is not known. */
export interface Progress {
  readonly done: number;
  readonly total: number | undefined;
  readonly text: string;
}

/** Rewrites one line with a bar on a terminal, and writes a line each elsewhere. Refuses: never. */
export function createProgress(terminal: ProgressOutput, lines: ProgressOutput) {
  return {
    show: (progress: Progress): void => {
      // What the line before was longer by is cleared.
      if (terminal.isTTY) terminal.write(`\r${renderProgress(progress)}\u001B[K`);
      else lines.write(`${progress.text}\n`);
    },
    end: (): void => {
      if (terminal.isTTY) terminal.write("\n");
    },
  };
}

/** Writes a bar, or the text alone where the total is not known. Refuses: never. */
export function renderProgress({ done, total, text }: Progress): string {
  if (total === undefined || total <= 0) return text;
  const share = Math.min(1, done / total);
  const filled = Math.round(share * WIDTH);
  return `[${"#".repeat(filled)}${"-".repeat(WIDTH - filled)}] ${Math.floor(share * 100)} % ${text}`;
}
