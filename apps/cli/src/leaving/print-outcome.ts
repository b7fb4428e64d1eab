import { UpstreamError } from "@dataspace/clients/upstream-error";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { ArchiveError } from "@dataspace/vault/archive/archive-error";
import { printable } from "../printable.ts";

/** What a command says: for people as lines, or as one JSON object. */
export interface Outcome {
  readonly lines: readonly string[];
  readonly json: object;
}

const EXIT_REFUSED = 1;
/** sysexits: EX_DATAERR, EX_UNAVAILABLE, EX_NOPERM. */
const EXIT_ARCHIVE = 65;
const EXIT_UNAVAILABLE = 69;
const EXIT_NOT_PERMITTED = 77;

/**
 * Runs a command about archives, moves or erasures, and prints its outcome or why there is none.
 *
 * Sets the exit code: 65 for an archive that is refused, 69 for a service that does not answer or asks for a retry, 77 for a
 * credential that is refused. It is 1 for any other refusal, and 78 for settings. Refuses: internal errors. Source: sysexits.
 */
export async function printOutcome(asJson: boolean, work: () => Promise<Outcome>): Promise<void> {
  try {
    const { lines, json } = await work();
    for (const line of asJson ? [JSON.stringify(json)] : lines) console.log(printable(line));
  } catch (error) {
    const refusal = toRefusal(error);
    if (refusal === undefined) throw error;
    const { exitCode, ...shown } = refusal;
    if (asJson) console.log(JSON.stringify({ error: shown }));
    else console.error(printable(`${shown.code}: ${shown.message}`));
    process.exitCode = exitCode;
  }
}

interface ShownRefusal {
  readonly code: string;
  readonly message: string;
  readonly exitCode: number;
}

function toRefusal(error: unknown): ShownRefusal | undefined {
  const message = (error as Error).message;
  if (error instanceof ArchiveError) return { code: error.code, message, exitCode: EXIT_ARCHIVE };
  if (error instanceof StartupError) return { code: "SETTINGS", message, exitCode: error.exitCode };
  if (!(error instanceof UpstreamError)) return undefined;
  const { refusal } = error;
  if (refusal === undefined) return { code: "UNAVAILABLE", message, exitCode: EXIT_UNAVAILABLE };
  const shown = (refusal.body as { readonly error?: { readonly message?: unknown } } | undefined)?.error?.message;
  return {
    code: refusal.code ?? `HTTP_${refusal.status}`,
    message: typeof shown === "string" ? shown : message,
    exitCode: exitOf(refusal.status),
  };
}

function exitOf(status: number): number {
  if (status === 401 || status === 403) return EXIT_NOT_PERMITTED;
  return status >= 500 || status === 429 ? EXIT_UNAVAILABLE : EXIT_REFUSED;
}
