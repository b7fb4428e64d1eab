import { parseEName } from "@dataspace/protocol/ename";
import type { HttpAnswer } from "./exchange.ts";
import { assertNoUserError, invalidAnswer, readGraphQLData, readObject } from "./read-answer.ts";
import type { Act } from "./retry-policy.ts";
import { type SendDeps, sendWithRetries } from "./send-with-retries.ts";
import { VAULT_DOCUMENTS } from "./vault-documents.ts";
import { VaultError } from "./vault-error.ts";
import type { VaultOperations } from "./vault-operations.ts";
import type { UserError } from "./vault-schema.ts";

/** What any call may say beside its arguments. */
export interface CallOptions {
  /** Ends the call: it then rejects with the signal's reason. */
  readonly signal?: AbortSignal | undefined;
  /** The eName that a platform acts for; the vault records it as the author of a write. */
  readonly onBehalfOf?: string | undefined;
}

/** What a call that writes may say. */
export interface WriteOptions extends CallOptions {
  /**
   * Names this write, so that the same write with the same name happens once in 24 hours, also after a restart of the caller: 1 to 128
   * printable ASCII characters. Absent: a new UUID, which serves the retries of this one call.
   */
  readonly idempotencyKey?: string | undefined;
}

type OperationName = keyof VaultOperations;
type ArgumentsOf<Name extends OperationName> = VaultOperations[Name]["arguments"];
type ResultOf<Name extends OperationName> = VaultOperations[Name]["result"];

/** How requests reach one owner's vault. */
export interface Calls {
  /** Runs an operation of the vault's GraphQL API under its own name, the deprecated ones included. */
  readonly call: <Name extends OperationName>(
    name: Name,
    args: ArgumentsOf<Name>,
    options?: WriteOptions,
  ) => Promise<ResultOf<Name>>;
  /** Runs a GraphQL query of the caller's own. Out: its `data`, which is not checked against `Data`. */
  readonly query: <Data>(document: string, variables?: object, options?: CallOptions) => Promise<Data>;
  /** Runs a GraphQL mutation of the caller's own. Out: its `data`; errors inside a payload are left to the caller. */
  readonly mutate: <Data>(document: string, variables?: object, options?: WriteOptions) => Promise<Data>;
  /** Reads JSON by GET, or what `read` makes of another answer. */
  readonly get: <Value>(
    path: string,
    options: CallOptions | undefined,
    read: (answer: HttpAnswer) => Value | Promise<Value>,
  ) => Promise<Value>;
}

interface GraphQLCall<Value> {
  readonly act: Act;
  readonly document: string;
  readonly variables: object;
  readonly options: WriteOptions | undefined;
  readonly read: (data: unknown) => Value;
}

const IDEMPOTENCY_KEY = /^[\x20-\x7e]{1,128}$/;

/**
 * Makes the calls to one owner's vault. Every write carries an Idempotency-Key.
 *
 * Refuses: its calls reject with a VaultError, or with the reason of their signal. Source: S1 "Endpoints"; decisions V2, V20.
 */
export function createCalls(deps: SendDeps): Calls {
  return {
    call: <Name extends OperationName>(name: Name, args: ArgumentsOf<Name>, options?: WriteOptions) => {
      const read = (data: unknown) => readResult(data, name) as ResultOf<Name>;
      return sendGraphQL(deps, { ...VAULT_DOCUMENTS[name], variables: args, options, read });
    },
    query: <Data>(document: string, variables: object = {}, options?: CallOptions) =>
      sendGraphQL(deps, { act: "fetch", document, variables, options, read: (data) => data as Data }),
    mutate: <Data>(document: string, variables: object = {}, options?: WriteOptions) =>
      sendGraphQL(deps, { act: "update", document, variables, options, read: (data) => data as Data }),
    get: async (path, options, read) =>
      sendWithRetries(deps, {
        act: "fetch",
        method: "GET",
        path,
        headers: readHeaders(options),
        signal: options?.signal,
        read,
      }),
  };
}

async function sendGraphQL<Value>(deps: SendDeps, asked: GraphQLCall<Value>): Promise<Value> {
  const { act, document, variables, options, read } = asked;
  const keyHeader = act === "fetch" ? {} : { "idempotency-key": readKey(options?.idempotencyKey) };
  return sendWithRetries(deps, {
    act,
    method: "POST",
    path: "/graphql",
    headers: { "content-type": "application/json", ...readHeaders(options), ...keyHeader },
    body: JSON.stringify({ query: document, variables }),
    signal: options?.signal,
    read: (answer) => read(readGraphQLData(answer)),
  });
}

/** Reads the result of one operation, and refuses what its payload refuses. */
function readResult(data: unknown, name: OperationName): unknown {
  const result = (data as Readonly<Record<string, unknown>>)[name];
  if (result === undefined) throw invalidAnswer(`The vault's answer has no ${name}.`);
  const errors = (result as { readonly errors?: unknown } | null)?.errors;
  if (Array.isArray(errors)) assertNoUserError(errors as readonly UserError[]);
  return result;
}

function readHeaders(options: CallOptions | undefined): Readonly<Record<string, string>> {
  return options?.onBehalfOf === undefined ? {} : { "x-on-behalf-of": parseEName(options.onBehalfOf) };
}

function readKey(key: string | undefined): string {
  if (key === undefined) return crypto.randomUUID();
  if (IDEMPOTENCY_KEY.test(key)) return key;
  const message = "An idempotency key is 1 to 128 printable ASCII characters, such as a UUID.";
  throw new VaultError("BAD_REQUEST", message, { field: "idempotencyKey", status: 400 });
}

/** Reads a JSON object whose members `isExpected` accepts. Refuses: INVALID_ANSWER; the vault's codes. */
export function readJson<Value extends object>(
  isExpected: (value: Readonly<Record<string, unknown>>) => boolean,
): (answer: HttpAnswer) => Value {
  return (answer) => {
    const value = readObject(answer);
    if (isExpected(value as Readonly<Record<string, unknown>>)) return value as Value;
    throw invalidAnswer("The vault's answer has other members than this endpoint promises.");
  };
}
