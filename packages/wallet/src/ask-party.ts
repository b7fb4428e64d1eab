import { UpstreamError } from "@dataspace/clients/upstream-error";
import { WalletError } from "./wallet-error.ts";

/** The parties that a wallet contacts, by the prefix of their codes. */
export type Party = "REGISTRY" | "PROVISIONER" | "VAULT" | "PLATFORM";

const NAMES: Readonly<Record<Party, string>> = {
  REGISTRY: "The registry",
  PROVISIONER: "The provisioner",
  VAULT: "The vault",
  PLATFORM: "The platform",
};

/**
 * Sends a request to a party, and converts its failure into a WalletError.
 *
 * Refuses: `<party>_UNAVAILABLE` when it does not answer properly, is overloaded or reports a failure; the same request
 * may be sent again. `<party>_REFUSED`, with the party's own code, when it refuses.
 * Source: S1 and S2 "Errors"; decision V2.
 */
export async function askParty<Answer>(party: Party, question: () => Promise<Answer>): Promise<Answer> {
  try {
    return await question();
  } catch (error) {
    throw error instanceof UpstreamError ? toWalletError(party, error) : error;
  }
}

function toWalletError(party: Party, error: UpstreamError): WalletError {
  const status = error.refusal?.status ?? 0;
  const refusal = error.refusal?.code;
  const isRefusal = error.code === "refused" && status < 500 && status !== 429;
  const more = { refusal, cause: error };
  if (!isRefusal) {
    const message = `${NAMES[party]} does not answer now: ${error.message} Try again in a while.`;
    return new WalletError(`${party}_UNAVAILABLE`, message, more);
  }
  const why = readMessage(error.refusal?.body) ?? error.message;
  return new WalletError(`${party}_REFUSED`, `${NAMES[party]} refused: ${why}`, more);
}

// Another party's text: shown, never interpreted, and limited in length.
function readMessage(body: unknown): string | undefined {
  const message = (body as { error?: { message?: unknown } | null } | null | undefined)?.error?.message;
  return typeof message === "string" && message !== "" ? message.slice(0, 300) : undefined;
}
