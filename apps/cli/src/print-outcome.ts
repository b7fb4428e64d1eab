import { printable, printableJson } from "./printable.ts";

/**
 * What a command found or did: lines for a person, and the same as one JSON value for a program. A command that has
 * printed everything already returns no lines, and undefined.
 */
export interface Outcome {
  readonly lines: readonly string[];
  readonly json: unknown;
  /** False when the command did what it was asked for and the answer is no; the exit code is then 1. */
  readonly ok?: boolean;
}

/** A refusal that a command prints in one sentence. */
export interface ShownRefusal {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

const EXIT_NO = 1;

/** Writes an outcome to stdout: its lines, or with `--json` one JSON value on a line. Refuses: never. */
export function printOutcome({ lines, json, ok = true }: Outcome, asJson: boolean | undefined): void {
  const printed = asJson ? (json === undefined ? [] : [printableJson(json)]) : lines.map(printable);
  for (const line of printed) console.log(line);
  if (!ok) process.exitCode = EXIT_NO;
}

/**
 * Runs a command and prints its outcome, or in one sentence why there is none, with the refusal's exit code.
 *
 * In: `toRefusal`, which errors are refusals. Refuses: every other error unchanged. Source: decision V2.
 */
export async function printOutcomeOf(
  work: () => Promise<Outcome>,
  { asJson, toRefusal }: { readonly asJson: boolean; readonly toRefusal: (error: unknown) => ShownRefusal | undefined },
): Promise<void> {
  try {
    printOutcome(await work(), asJson);
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) throw error;
    const { exitCode, ...shown } = refusal;
    if (asJson) console.log(printableJson({ error: shown }));
    else console.error(printable(`${shown.code}: ${shown.message}`));
    process.exitCode = exitCode;
  }
}
