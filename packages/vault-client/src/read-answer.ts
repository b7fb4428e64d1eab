import { parseJson } from "@dataspace/clients/parse-json";
import type { HttpAnswer } from "./exchange.ts";
import { isVaultCode, VaultError, type VaultErrorDetails } from "./vault-error.ts";
import { VAULT_ERROR_STATUS } from "./vault-error-status.ts";
import type { UserError } from "./vault-schema.ts";

interface Refused {
  readonly code?: unknown;
  readonly message?: unknown;
  readonly field?: unknown;
}

const MAX_MESSAGE_CHARACTERS = 500;
/** The vault refuses with these before it writes. */
const NEVER_WRITTEN = ["BUSY", "REGISTRY_UNAVAILABLE", "TRY_AGAIN", "QUOTA_EXCEEDED", "VAULT_READ_ONLY"];

/** Takes the data out of a GraphQL answer. Refuses: a VaultError with the vault's code; INVALID_ANSWER. Source: decision V2. */
export function readGraphQLData(answer: HttpAnswer): unknown {
  const { data, errors } = readObject(answer) as { readonly data?: unknown; readonly errors?: unknown };
  if (Array.isArray(errors) && errors.length > 0) throw refusal(readGraphQLError(errors[0]), {});
  if (typeof data === "object" && data !== null) return data;
  throw invalidAnswer("The vault's answer has neither data nor errors.");
}

/** Reads an answer whose body is a JSON object. Refuses: a VaultError with the vault's code; INVALID_ANSWER. Source: decision V2. */
export function readObject(answer: HttpAnswer): object {
  assertSuccess(answer);
  const value = parseJson(new TextDecoder().decode(answer.bytes));
  if (typeof value === "object" && value !== null) return value;
  throw invalidAnswer("The vault's answer is not a JSON object.");
}

/** Lets a 2xx answer pass. Refuses: a VaultError with the vault's code, or VAULT_REFUSED. Source: decision V2. */
export function assertSuccess(answer: HttpAnswer): void {
  const { status, headers } = answer;
  if (status >= 200 && status < 300) return;
  const body = parseJson(new TextDecoder().decode(answer.bytes));
  const refused = readRefused(body);
  const isRedirect = status === 0 || (status >= 300 && status < 400);
  const message = isRedirect
    ? `The vault answered with a redirect (status ${status}), which is not followed.`
    : `The vault refused with status ${status}.`;
  throw refusal({ message, ...refused }, { status, retryAfterMs: readRetryAfter(headers.get("retry-after")) });
}

/** A refusal before a document runs is `error`, as at every endpoint; one of the document itself is the first of GraphQL's `errors`. */
function readRefused(body: unknown): Refused {
  const { error, errors } = (body ?? {}) as { readonly error?: unknown; readonly errors?: unknown };
  if (typeof error === "object" && error !== null) return error;
  return Array.isArray(errors) ? readGraphQLError(errors[0]) : {};
}

/** Lets a mutation without errors pass. Refuses: a VaultError with the first error. Source: S1 "Errors"; decision V2. */
export function assertNoUserError(errors: readonly UserError[] | null): void {
  const [first] = errors ?? [];
  if (first !== undefined) throw refusal(first, {});
}

/** Makes the error for an answer that is not the vault's protocol. */
export function invalidAnswer(message: string): VaultError {
  return new VaultError("INVALID_ANSWER", message, { mayBeWritten: true });
}

function readGraphQLError(error: unknown): Refused {
  const { message, extensions } = (error ?? {}) as { readonly message?: unknown; readonly extensions?: Refused | null };
  return { message, code: extensions?.code, field: extensions?.field };
}

function refusal({ code, message, field }: Refused, known: VaultErrorDetails): VaultError {
  const text = typeof message === "string" ? message.slice(0, MAX_MESSAGE_CHARACTERS) : "The vault refused.";
  const vaultCode = isVaultCode(code) ? code : undefined;
  const status = known.status ?? (vaultCode && VAULT_ERROR_STATUS[vaultCode]);
  return new VaultError(vaultCode ?? "VAULT_REFUSED", text, {
    ...known,
    status,
    field: typeof field === "string" ? field : undefined,
    mayBeWritten: (status ?? 500) >= 500 && !(vaultCode !== undefined && NEVER_WRITTEN.includes(vaultCode)),
  });
}

/** Seconds alone: the vault sends no dates, and a date would need two clocks that agree. */
function readRetryAfter(text: string | null): number | undefined {
  return text !== null && /^\d{1,6}$/.test(text) ? Number(text) * 1_000 : undefined;
}
