import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { VaultErrorCode } from "../errors.ts";

/** An entry of a mutation's `errors`. Source: S1 "Errors". */
export interface UserError {
  readonly field: string | null;
  readonly message: string;
  readonly code: VaultErrorCode;
}

/**
 * Runs a mutation and reports its refusal inside its payload; other errors are thrown on.
 *
 * In: `refused` are the payload's other members after a refusal. Out: the payload, `errors` empty on success.
 * Source: S1 "Errors"; decision V2.
 */
export async function asPayload<Payload extends object>(
  refused: { readonly [Name in keyof Payload]: Payload[Name] | null },
  run: () => Promise<Payload>,
): Promise<object> {
  try {
    return { ...(await run()), errors: [] };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const userError: UserError = {
      field: error.field ?? null,
      message: error.message,
      code: error.code as VaultErrorCode,
    };
    return { ...refused, errors: [userError] };
  }
}
