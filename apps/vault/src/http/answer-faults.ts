import { VAULT_ERRORS, type VaultErrorCode } from "../errors.ts";
import type { GraphQLAnswer } from "../graphql/execute.ts";
import type { RequestError } from "../graphql/request-error.ts";

const UNAVAILABLE = 503;

/**
 * Finds why an answer is not final: faults that may disappear at the next attempt, among its errors and its mutations'
 * refusals, and requests that were refused before they ran.
 *
 * In: `refusals`, of the mutations, selected by the document or not.
 * Out: undefined for a final answer; otherwise errors and status of the answer. Source: decision V26.
 */
export function faultsOf(
  { status, body }: GraphQLAnswer,
  refusals: readonly RequestError[],
): { readonly status: number; readonly errors: readonly RequestError[] } | undefined {
  const errors = body.errors ?? [];
  if (status !== 200) return { status, errors };
  const faults = [...errors, ...refusals].filter(({ extensions: { code } }) => isFault(code));
  const [first] = faults;
  if (first === undefined) return undefined;
  return { status: VAULT_ERRORS[first.extensions.code].status, errors: faults };
}

function isFault(code: VaultErrorCode): boolean {
  return code === "INTERNAL_ERROR" || VAULT_ERRORS[code].status === UNAVAILABLE;
}
