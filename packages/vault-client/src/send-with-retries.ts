import type { VaultAddress } from "@dataspace/clients/registry-client";
import type { EName } from "@dataspace/protocol/ename";
import { sleep } from "./client-clock.ts";
import type { Credential, CredentialHeaders } from "./credential.ts";
import { type ExchangeDeps, exchange, type HttpAnswer } from "./exchange.ts";
import { type Act, decideWait, policyOf, type RetryConfig } from "./retry-policy.ts";
import type { TakeTurn } from "./turns.ts";
import { VaultError } from "./vault-error.ts";
import type { VaultLocation } from "./vault-location.ts";

/** What a request to one owner's vault needs. */
export interface SendDeps {
  readonly owner: EName;
  readonly location: VaultLocation;
  readonly credential: Credential | undefined;
  readonly turns: { readonly ofVault: TakeTurn; readonly ofAll: TakeTurn };
  readonly outside: ExchangeDeps & { readonly random: () => number };
  readonly retry: RetryConfig | undefined;
}

/** One request. `read` makes the result of the answer, and refuses with a VaultError. */
export interface VaultRequest<Value> {
  readonly act: Act;
  readonly method: "GET" | "HEAD" | "POST";
  /** Path and query below the vault's base address. */
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly signal: AbortSignal | undefined;
  readonly read: (answer: HttpAnswer) => Value | Promise<Value>;
}

interface Failed {
  readonly error: VaultError;
  readonly address: VaultAddress | undefined;
  readonly credentialHeaders: CredentialHeaders | undefined;
}

type Outcome<Value> = { readonly value: Value } | Failed;

/** What is remembered between the attempts of one request. */
interface History {
  repeated: number;
  hasMoved: boolean;
  hasRenewed: boolean;
  /** The vault that may have done the request already. */
  doubtfulVault: string | undefined;
}

/**
 * Sends a request until it succeeds or its failure is final. Each attempt finds the address, asks for its credential and takes a
 * turn again; nothing is held while it waits.
 *
 * A write that a vault may have done is repeated only with a credential, since the vault stores an Idempotency-Key for callers it knows.
 * It is repeated only at the same vault, since another vault does not know the key. Beside the retries of the policy, an address that turns out to be
 * stale and a credential that is refused with 401 are each replaced once.
 * Refuses: VaultError; the reason of `signal`. Source: S3 "Vault client rules"; decisions V20, V26.
 */
export async function sendWithRetries<Value>(deps: SendDeps, request: VaultRequest<Value>): Promise<Value> {
  const history: History = { repeated: 0, hasMoved: false, hasRenewed: false, doubtfulVault: undefined };
  for (;;) {
    const outcome = await deps.turns.ofVault(() => attempt(deps, request, history), request.signal);
    if ("value" in outcome) return outcome.value;
    const waitMs = await waitAfter(deps, request, { ...outcome, history });
    if (waitMs === undefined) throw history.doubtfulVault === undefined ? outcome.error : inDoubt(outcome.error);
    if (waitMs > 0) await sleep(deps.outside.clock, waitMs, request.signal);
  }
}

async function attempt<Value>(deps: SendDeps, request: VaultRequest<Value>, history: History): Promise<Outcome<Value>> {
  const { location, owner, outside } = deps;
  let address: VaultAddress | undefined;
  let credentialHeaders: CredentialHeaders | undefined;
  try {
    address = await location.find(request.signal);
    assertSameVault(address, history.doubtfulVault);
    const url = address.uri + request.path;
    credentialHeaders = await askCredential(deps, request, { url, vaultUrl: address.uri });
    const { timeoutMs } = policyOf(deps.retry, request.act);
    const headers = { accept: "application/json", "x-ename": owner, ...request.headers, ...credentialHeaders };
    const { method, body, signal } = request;
    const send = () => exchange(outside, { url, method, headers, body, timeoutMs, signal });
    const answer = await deps.turns.ofAll(send, signal);
    if (answer.status < 500) location.confirm(address);
    return { value: await request.read(answer) };
  } catch (error) {
    if (error instanceof VaultError) return { error, address, credentialHeaders };
    throw error;
  }
}

async function askCredential(
  { credential, owner }: SendDeps,
  { act, method }: Pick<VaultRequest<unknown>, "act" | "method">,
  where: { readonly url: string; readonly vaultUrl: string },
): Promise<CredentialHeaders | undefined> {
  try {
    return await credential?.headersFor({ owner, method, isWrite: act !== "fetch", ...where });
  } catch (cause) {
    if (cause instanceof VaultError) throw cause;
    const message = `The credential for the vault of ${owner} gives no headers. See the cause.`;
    throw new VaultError("CREDENTIAL_UNAVAILABLE", message, { cause });
  }
}

/** Decides what follows a failure. Out: how long to wait before the next attempt, in milliseconds; undefined when the failure is final. */
async function waitAfter<Value>(
  deps: SendDeps,
  request: VaultRequest<Value>,
  { error, address, credentialHeaders, history }: Failed & { readonly history: History },
): Promise<number | undefined> {
  const { location, credential, owner } = deps;
  const isSafeToRepeat = request.act === "fetch" || credential !== undefined;
  if (error.mayBeWritten && address !== undefined && request.act !== "fetch") history.doubtfulVault = address.vault;
  if (
    error.status === 401 &&
    credential?.forget !== undefined &&
    credentialHeaders !== undefined &&
    !history.hasRenewed
  ) {
    history.hasRenewed = true;
    credential.forget(owner, credentialHeaders);
    return 0;
  }
  if (address !== undefined && isStale(error)) {
    location.evict(address);
    const mayRepeat = isSafeToRepeat || !error.mayBeWritten;
    if (mayRepeat && !history.hasMoved && (await isElsewhere(location, address, request.signal))) {
      history.hasMoved = true;
      return 0;
    }
  }
  const policy = policyOf(deps.retry, request.act);
  const waitMs = decideWait(error, { policy, repeated: history.repeated, isSafeToRepeat, random: deps.outside.random });
  history.repeated += 1;
  return waitMs;
}

const NO_LONGER_HERE: ReadonlySet<string> = new Set([
  "VAULT_UNREACHABLE",
  "VAULT_TIMEOUT",
  "UNKNOWN_ENAME",
  "VAULT_MOVED",
]);

/** Whether the vault may be at another address: this one gives no vault's answer, does not know the owner, or says that the vault has moved. */
function isStale({ code, status }: VaultError): boolean {
  if (NO_LONGER_HERE.has(code)) return true;
  return code === "INVALID_ANSWER" || status === 401 || (code === "VAULT_REFUSED" && (status ?? 200) >= 300);
}

async function isElsewhere(
  location: VaultLocation,
  { uri }: VaultAddress,
  signal: AbortSignal | undefined,
): Promise<boolean> {
  try {
    return (await location.find(signal)).uri !== uri;
  } catch (error) {
    if (error instanceof VaultError) return false;
    throw error;
  }
}

/** An earlier attempt may have been done, whatever the last answer says. */
function inDoubt(error: VaultError): VaultError {
  return error.mayBeWritten
    ? error
    : new VaultError(error.code, error.message, { ...error, mayBeWritten: true, cause: error });
}

function assertSameVault({ vault }: VaultAddress, doubtfulVault: string | undefined): void {
  if (doubtfulVault === undefined || doubtfulVault === vault) return;
  const message =
    "The vault may have done this write, and the registry now names another vault. Read before you write again.";
  throw new VaultError("VAULT_UNREACHABLE", message, { mayBeWritten: true, status: 409 });
}
