import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { SignedLogin } from "../provider/account-claims.ts";
import type { LoginRequest } from "../provider/op-core.ts";

/** Why a login failed, for its page. */
export type LoginFailure =
  | "bad_signature"
  | "no_certificate"
  | "unknown_ename"
  | "upstream_timeout"
  | "upstream_unavailable";

/** The outcome of a wallet's answer. */
export type AnswerOutcome = { readonly signed: SignedLogin } | { readonly failure: LoginFailure };

/** One login in memory. `expired` is not a separate state: a pending login is expired when its time is over. */
export interface LoginEntry {
  readonly request: LoginRequest;
  readonly secretHash: Buffer;
  readonly listeners: Set<() => void>;
  session: string;
  state: "pending" | "checking" | "signed" | "failed";
  failure: LoginFailure | undefined;
  signed: SignedLogin | undefined;
  expiresAtMs: number;
  expiryReported: boolean;
}

const SECRET_BYTES = 32;
/** How long a signed login waits for its browser at least. */
const COLLECT_MS = 120_000;

/** Creates 256 random bits as text: a session, or a browser's secret. Refuses: never. Source: decision L2. */
export function randomText(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Makes the entry of a request, without a session yet. Refuses: never. */
export function newEntry(request: LoginRequest, secret: string): LoginEntry {
  return {
    request,
    secretHash: hash(secret),
    listeners: new Set(),
    session: "",
    state: "pending",
    failure: undefined,
    signed: undefined,
    expiresAtMs: 0,
    expiryReported: false,
  };
}

/** Checks whether a browser's secret is the one that started the login. Refuses: never. */
export function isOwn(entry: LoginEntry, secret: string): boolean {
  return timingSafeEqual(entry.secretHash, hash(secret));
}

/** Gives an entry a new session, which waits for a wallet until a given time. Refuses: never. */
export function startSession(entry: LoginEntry, session: string, expiresAtMs: number): void {
  Object.assign(entry, { session, state: "pending", failure: undefined, expiryReported: false, expiresAtMs });
  tell(entry);
}

/**
 * Records the outcome of a session's answer. The outcome of a replaced session is ignored.
 *
 * Refuses: never.
 */
export function settle(
  entry: LoginEntry,
  { session, outcome, nowMs }: { readonly session: string; readonly outcome: AnswerOutcome; readonly nowMs: number },
): void {
  if (entry.session !== session) return;
  if ("signed" in outcome) {
    entry.state = "signed";
    entry.signed = outcome.signed;
    entry.expiresAtMs = Math.max(entry.expiresAtMs, nowMs + COLLECT_MS);
  } else {
    entry.state = "failed";
    entry.failure = outcome.failure;
  }
  tell(entry);
}

/** Calls the listeners of the login. Refuses: never. */
export function tell({ listeners }: LoginEntry): void {
  for (const listener of listeners) listener();
}

function hash(secret: string): Buffer {
  return createHash("sha256").update(secret).digest();
}
