import { UpstreamError } from "@dataspace/clients/upstream-error";
import { DeploymentError, type DeploymentErrorCode } from "./deployment-error.ts";

/**
 * Asks another party and says in one sentence what it refused.
 *
 * In: `refused` is the code for a refusal by the party; `party` begins the sentence.
 * Refuses: `refused` for a 4xx answer, with the party's own words; UNAVAILABLE for anything else.
 */
export async function askParty<T>(
  { party, refused }: { readonly party: string; readonly refused: DeploymentErrorCode },
  ask: () => Promise<T>,
): Promise<T> {
  try {
    return await ask();
  } catch (error) {
    if (!(error instanceof UpstreamError)) throw error;
    const { refusal } = error;
    if (refusal === undefined || refusal.status >= 500 || refusal.status < 400) {
      throw new DeploymentError(
        "UNAVAILABLE",
        `${party} does not answer as it should: ${error.message} Try again later.`,
        {
          cause: error,
        },
      );
    }
    const said = messageOf(refusal.body) ?? error.message;
    throw new DeploymentError(refused, `${party} refused (${refusal.code ?? refusal.status}): ${said}`, {
      cause: error,
    });
  }
}

const MOST_CHARACTERS = 500;

function messageOf(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } | null } | null | undefined)?.error?.message;
  return typeof message === "string" ? message.slice(0, MOST_CHARACTERS) : undefined;
}
