import { hash, randomBytes } from "node:crypto";
import type { CheckFailure, CheckOutcome } from "./wallet-check.ts";

/** A login as it is stored. It has no state `expired`: a pending login is expired when `expiresAtMs` has passed. */
export interface PendingLogin<Request, Signed> {
  readonly request: Request;
  /** SHA-256 of the secret that the browser holds in its cookie. */
  readonly browser: string;
  readonly listeners: Set<() => void>;
  session: string;
  state: "pending" | "checking" | "signed" | "failed";
  failure: CheckFailure | undefined;
  signed: Signed | undefined;
  expiresAtMs: number;
  /** When the login ends in any state, however often its session was renewed. */
  readonly endsAtMs: number;
  expiryAnnounced: boolean;
}

const SECRET_BYTES = 32;
/** A signed login waits at least this long for its browser. */
const COLLECT_MS = 120_000;

/** Makes 256 random bits as base64url text. Refuses: never. Source: decision L2. */
export function randomText(): string {
  return randomBytes(SECRET_BYTES).toString("base64url");
}

/** Hashes a browser's secret. The logins are looked up by this hash, so no comparison depends on the secret's content. Refuses: never. */
export function hashSecret(secret: string): string {
  return hash("sha256", secret, "base64url");
}

/** Makes a login without a session. Refuses: never. */
export function makeLogin<Request, Signed>(
  request: Request,
  { secret, endsAtMs }: { readonly secret: string; readonly endsAtMs: number },
): PendingLogin<Request, Signed> {
  return {
    request,
    browser: hashSecret(secret),
    listeners: new Set(),
    session: "",
    state: "pending",
    failure: undefined,
    signed: undefined,
    expiresAtMs: 0,
    endsAtMs,
    expiryAnnounced: false,
  };
}

/** Gives a login a new session, which a wallet may answer until `untilMs`, or the login's end. Refuses: never. */
export function startSession(login: PendingLogin<unknown, unknown>, session: string, untilMs: number): void {
  const expiresAtMs = Math.min(untilMs, login.endsAtMs);
  Object.assign(login, { session, state: "pending", failure: undefined, expiryAnnounced: false, expiresAtMs });
  notify(login);
}

/** Stores the outcome of a check in its login. Refuses: never. */
export function storeOutcome<Signed>(
  login: PendingLogin<unknown, Signed>,
  outcome: CheckOutcome<Signed>,
  nowMs: number,
): void {
  if ("signed" in outcome) {
    login.state = "signed";
    login.signed = outcome.signed;
    login.expiresAtMs = Math.min(Math.max(login.expiresAtMs, nowMs + COLLECT_MS), login.endsAtMs);
  } else {
    login.state = "failed";
    login.failure = outcome.failure;
  }
  notify(login);
}

/** Calls every listener of a login. Refuses: never. */
export function notify({ listeners }: Pick<PendingLogin<unknown, unknown>, "listeners">): void {
  for (const listener of listeners) listener();
}
