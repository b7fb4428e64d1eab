import { UpstreamError } from "@dataspace/clients/upstream-error";
import { StartupError } from "@dataspace/service-kit/startup-error";
import type { ShownRefusal } from "./print-outcome.ts";

const EXIT_REFUSED = 1;
/** sysexits: EX_UNAVAILABLE, EX_NOPERM. */
const EXIT_UNAVAILABLE = 69;
const EXIT_NOT_PERMITTED = 77;

/**
 * Finds the refusal in an error of a command that asks other parties.
 *
 * The exit code is 69 for a service that does not answer or asks for a retry, 77 for a credential that is refused, 78 for
 * settings, and 1 for any other refusal. Out: undefined for an internal error. Source: sysexits.
 */
export function refusalOfParty(error: unknown): ShownRefusal | undefined {
  const message = (error as Error).message;
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
