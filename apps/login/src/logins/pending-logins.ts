import type { Clock } from "@dataspace/service-kit/clock";
import { loginRefusal } from "../errors.ts";
import type { SignedLogin } from "../provider/account-claims.ts";
import type { LoginRequest } from "../provider/op-core.ts";
import {
  type AnswerOutcome,
  isOwn,
  type LoginEntry,
  type LoginFailure,
  newEntry,
  randomText,
  settle,
  startSession,
  tell,
} from "./login-entry.ts";

/** A login as its own browser sees it. `checking`: a wallet's answer is being verified. */
export interface LoginView {
  readonly request: LoginRequest;
  /** The session, which the wallet signs. */
  readonly session: string;
  readonly state: LoginEntry["state"] | "expired";
  readonly failure: LoginFailure | undefined;
  readonly secondsLeft: number;
}

/** Logins that wait for a wallet, in memory. A secret in a cookie identifies the browser that started one. */
export interface PendingLogins {
  /** Opens a login. Out: the browser's secret. Refuses: LOGINS_FULL. */
  readonly open: (request: LoginRequest) => string;
  /** Out: undefined if the login does not exist, or the secret is another browser's. */
  readonly find: (id: string, secret: string | undefined) => LoginView | undefined;
  /** Runs the check of a wallet's answer, once for a session. Refuses: UNKNOWN_SESSION, SESSION_USED, SESSION_EXPIRED. */
  readonly answer: (session: string, check: () => Promise<AnswerOutcome>) => Promise<AnswerOutcome>;
  /** Replaces the session of a login that is not signed; the old session ends. */
  readonly renew: (id: string, secret: string | undefined) => void;
  /** Ends a signed login and returns what was signed, once, to its own browser. */
  readonly take: (id: string, secret: string | undefined) => SignedLogin | undefined;
  /** Ends a login that its own browser cancels. Out: whether it existed. */
  readonly cancel: (id: string, secret: string | undefined) => boolean;
  /** Finds the login of a session. */
  readonly idOf: (session: string) => string | undefined;
  /** Calls `listener` at every change until the returned function is called. Refuses: TOO_MANY_STREAMS. */
  readonly watch: (id: string, listener: () => void) => () => void;
  /** Drops logins that are over, and calls the listeners of those that expired. Out: the ids of the dropped logins. */
  readonly sweep: () => readonly string[];
  readonly size: () => number;
}

const MOST_STREAMS = 3;
/** How a login ends when its check fails itself. */
const UNAVAILABLE: AnswerOutcome = { failure: "upstream_unavailable" };
/** How long a login with an expired code keeps its page, so that a new code can be requested there. */
const RENEWABLE_MS = 600_000;

/**
 * Makes the pending logins. A full map refuses new logins and never drops a live one.
 *
 * Source: S2 "Login session", "States and transitions"; decisions L2, L4, L9, L12.
 */
export function createPendingLogins(
  { clock }: { readonly clock: Clock },
  config: { readonly most: number; readonly sessionSeconds: number },
): PendingLogins {
  const logins = new Map<string, LoginEntry>();
  const idBySession = new Map<string, string>();
  const isExpired = (login: LoginEntry): boolean => login.expiresAtMs <= clock.nowMs();
  const own = (id: string, secret: string | undefined): LoginEntry | undefined => {
    const login = logins.get(id);
    return login !== undefined && secret !== undefined && isOwn(login, secret) ? login : undefined;
  };
  const begin = (login: LoginEntry): void => {
    idBySession.delete(login.session);
    startSession(login, randomText(), clock.nowMs() + config.sessionSeconds * 1000);
    idBySession.set(login.session, login.request.id);
  };
  const drop = (login: LoginEntry): void => {
    logins.delete(login.request.id);
    idBySession.delete(login.session);
    tell(login);
  };
  return {
    open: (request) => {
      if (logins.size >= config.most) throw full();
      const secret = randomText();
      const login = newEntry(request, secret);
      logins.set(request.id, login);
      begin(login);
      return secret;
    },
    find: (id, secret) => {
      const login = own(id, secret);
      return login && toView(login, clock.nowMs());
    },
    answer: async (session, check) => {
      const login = logins.get(idBySession.get(session) ?? "");
      assertAnswerable(login, clock.nowMs());
      login.state = "checking";
      tell(login);
      let outcome: AnswerOutcome = UNAVAILABLE;
      try {
        outcome = await check();
        return outcome;
      } finally {
        settle(login, { session, outcome, nowMs: clock.nowMs() });
      }
    },
    renew: (id, secret) => {
      const login = own(id, secret);
      if (login?.state === "pending" || login?.state === "failed") begin(login);
    },
    take: (id, secret) => {
      const login = own(id, secret);
      if (login?.signed === undefined || isExpired(login)) return undefined;
      drop(login);
      return login.signed;
    },
    cancel: (id, secret) => {
      const login = own(id, secret);
      if (login !== undefined) drop(login);
      return login !== undefined;
    },
    idOf: (session) => idBySession.get(session),
    watch: (id, listener) => watch(logins.get(id), listener),
    sweep: () => {
      const over = [...logins.values()].filter((login) => isOver(login, clock.nowMs()));
      for (const login of over) drop(login);
      for (const login of logins.values()) {
        if (login.state !== "pending" || login.expiryReported || !isExpired(login)) continue;
        login.expiryReported = true;
        tell(login);
      }
      return over.map(({ request }) => request.id);
    },
    size: () => logins.size,
  };
}

function full(): Error {
  return loginRefusal("LOGINS_FULL", "Too many logins are open at the moment. Try again in a minute.");
}

function toView(login: LoginEntry, nowMs: number): LoginView {
  const { request, session, state, failure, expiresAtMs } = login;
  return {
    request,
    session,
    state: state === "pending" && expiresAtMs <= nowMs ? "expired" : state,
    failure,
    secondsLeft: Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000)),
  };
}

function isOver({ state, expiresAtMs }: LoginEntry, nowMs: number): boolean {
  return expiresAtMs + (state === "signed" ? 0 : RENEWABLE_MS) <= nowMs;
}

function assertAnswerable(login: LoginEntry | undefined, nowMs: number): asserts login is LoginEntry {
  if (login === undefined) {
    throw loginRefusal(
      "UNKNOWN_SESSION",
      "This code is not known, or a newer one replaced it. Open the login page again.",
    );
  }
  if (login.state !== "pending") {
    throw loginRefusal("SESSION_USED", "This code is used already. Ask for a new code on the login page.");
  }
  if (login.expiresAtMs <= nowMs) {
    throw loginRefusal("SESSION_EXPIRED", "This code is too old. Ask for a new code on the login page.");
  }
}

function watch(login: LoginEntry | undefined, listener: () => void): () => void {
  if (login === undefined) return () => undefined;
  if (login.listeners.size >= MOST_STREAMS) {
    throw loginRefusal("TOO_MANY_STREAMS", `A login has at most ${MOST_STREAMS} open event streams.`);
  }
  login.listeners.add(listener);
  return () => login.listeners.delete(listener);
}
