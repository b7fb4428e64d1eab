import { ArchiveError } from "@dataspace/vault/archive/archive-error";
import type { ShownRefusal } from "../print-outcome.ts";
import { refusalOfParty } from "../refusal-of-party.ts";

/** sysexits: EX_DATAERR. */
const EXIT_ARCHIVE = 65;

/**
 * Finds the refusal in an error of a command about archives, moves or erasures.
 *
 * The exit code is 65 for an archive that is refused; otherwise as `refusalOfParty`. Out: undefined for an internal error.
 * Source: sysexits.
 */
export function refusalOfExit(error: unknown): ShownRefusal | undefined {
  if (error instanceof ArchiveError) return { code: error.code, message: error.message, exitCode: EXIT_ARCHIVE };
  return refusalOfParty(error);
}
