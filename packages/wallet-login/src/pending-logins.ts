import {
  hashSecret,
  makeLogin,
  notify,
  type PendingLogin,
  randomText,
  startSession,
  storeOutcome,
} from "./pending-login.ts";
import { createUsedSessions } from "./used-sessions.ts";
import type { CheckFailure, CheckOutcome } from "./wallet-check.ts";

/** How far a login is. `checking`: a wallet's answer is being verified. */
export type LoginState = PendingLogin<unknown, unknown>["state"] | "expired";

/** A login as its own browser sees it. */
export interface LoginView<Request, Signed> {
  readonly request: Request;
  /** S: what the wallet signs. */
  readonly session: string;
  readonly state: LoginState;
  readonly failure: CheckFailure | undefined;
  readonly signed: Signed | undefined;
  readonly secondsLeft: number;
}

/** Why an answer was refused without a check. */
type SessionFailure = "unknown_session" | "session_used" | "session_expired";

/** Why an answer did not sign its session. */
export type AnswerFailure = CheckFailure | SessionFailure;

/** What became of a wallet's answer. */
export type AnswerResult<Signed> = { readonly signed: Signed } | { readonly failure: AnswerFailure };

/**
 * Logins in memory that wait for a wallet. `Request` is what the application attaches to a login; `Signed` is what a check finds.
 * A browser is known by its secret alone; the methods that take one do nothing for another browser's secret.
 */
export interface PendingLogins<Request, Signed> {
  /** Opens a login. Out: the browser's secret, or undefined while as many logins are open as may be. */
  readonly open: (request: Request) => string | undefined;
  readonly find: (secret: string | undefined) => LoginView<Request, Signed> | undefined;
  /** Runs the check of a wallet's answer. At most one check runs for a session; a failed check ends the session. */
  readonly answer: (session: string, check: () => Promise<CheckOutcome<Signed>>) => Promise<AnswerResult<Signed>>;
  /** Gives a login that is not signed a new session. The old session is dead. */
  readonly renew: (secret: string | undefined) => void;
  /** Ends a signed login and returns what was signed, once. */
  readonly take: (secret: string | undefined) => Signed | undefined;
  /** Ends a login in any state. Out: whether there was one. */
  readonly cancel: (secret: string | undefined) => boolean;
  readonly requestOf: (session: string) => Request | undefined;
  /** Calls `listener` at every change. Out: what ends the calls; undefined if the login is gone or has three listeners. */
  readonly watch: (secret: string | undefined, listener: () => void) => (() => void) | undefined;
  /** Drops logins that are over, and notifies the listeners of those that expired. Out: the requests of the dropped logins. */
  readonly sweep: () => readonly Request[];
  readonly size: () => number;
}

/**
 * Bounds and lifetimes. A login whose session expired or failed stays renewable for `renewableSeconds`. Every login ends after
 * `longestSeconds`.
 */
export interface PendingLoginsConfig {
  readonly most: number;
  readonly sessionSeconds: number;
  readonly renewableSeconds: number;
  readonly longestSeconds: number;
}

const MOST_LISTENERS = 3;
/** The outcome of a check that threw. */
const UNAVAILABLE = { failure: "upstream_unavailable" } as const;

/**
 * Makes the pending logins. A full map refuses new logins and never drops a live one.
 *
 * Refuses: never; refusals are values. `answer` passes on what `check` throws, after it ended the session.
 * Source: S2 "Login session", "States and transitions"; decisions L2, L4, L9, L12.
 */
export function createPendingLogins<Request, Signed>(
  { clock }: { readonly clock: { readonly nowMs: () => number } },
  { most, sessionSeconds, renewableSeconds, longestSeconds }: PendingLoginsConfig,
): PendingLogins<Request, Signed> {
  type Login = PendingLogin<Request, Signed>;
  const loginByBrowser = new Map<string, Login>();
  const loginBySession = new Map<string, Login>();
  const used = createUsedSessions();
  const isOver = ({ state, expiresAtMs, endsAtMs }: Login): boolean =>
    Math.min(endsAtMs, expiresAtMs + (state === "signed" ? 0 : renewableSeconds * 1000)) <= clock.nowMs();
  const own = (secret: string | undefined): Login | undefined => {
    const login = secret === undefined ? undefined : loginByBrowser.get(hashSecret(secret));
    return login === undefined || isOver(login) ? undefined : login;
  };
  const begin = (login: Login): void => {
    loginBySession.delete(login.session);
    startSession(login, randomText(), clock.nowMs() + sessionSeconds * 1000);
    loginBySession.set(login.session, login);
  };
  const drop = (login: Login): void => {
    loginByBrowser.delete(login.browser);
    loginBySession.delete(login.session);
    notify(login);
  };
  return {
    open: (request) => {
      if (loginByBrowser.size >= most) return undefined;
      const secret = randomText();
      const login = makeLogin<Request, Signed>(request, { secret, endsAtMs: clock.nowMs() + longestSeconds * 1000 });
      loginByBrowser.set(login.browser, login);
      begin(login);
      return secret;
    },
    find: (secret) => {
      const login = own(secret);
      return login && toView(login, clock.nowMs());
    },
    answer: async (session, check) => {
      const login = loginBySession.get(session);
      if (login === undefined || isOver(login)) {
        return { failure: used.has(session, clock.nowMs()) ? "session_used" : "unknown_session" };
      }
      if (login.state !== "pending") return { failure: "session_used" };
      if (login.expiresAtMs <= clock.nowMs()) return { failure: "session_expired" };
      login.state = "checking";
      notify(login);
      let outcome: CheckOutcome<Signed> = UNAVAILABLE;
      try {
        outcome = await check();
      } finally {
        if (isOver(login)) drop(login);
        else storeOutcome(login, outcome, clock.nowMs());
      }
      // While the answer was checked, the browser may have cancelled the login, or its time may have ended.
      return loginBySession.get(session) === login ? outcome : { failure: "unknown_session" };
    },
    renew: (secret) => {
      const login = own(secret);
      if (login?.state === "pending" || login?.state === "failed") begin(login);
    },
    take: (secret) => {
      const login = own(secret);
      if (login?.signed === undefined) return undefined;
      used.add(login.session, login.expiresAtMs);
      drop(login);
      return login.signed;
    },
    cancel: (secret) => {
      const login = own(secret);
      if (login !== undefined) drop(login);
      return login !== undefined;
    },
    requestOf: (session) => loginBySession.get(session)?.request,
    watch: (secret, listener) => {
      const login = own(secret);
      if (login === undefined || login.listeners.size >= MOST_LISTENERS) return undefined;
      login.listeners.add(listener);
      return () => login.listeners.delete(listener);
    },
    sweep: () => {
      const over = [...loginByBrowser.values()].filter(isOver);
      for (const login of over) drop(login);
      for (const login of loginByBrowser.values()) announceExpiry(login, clock.nowMs());
      return over.map(({ request }) => request);
    },
    size: () => loginByBrowser.size,
  };
}

function toView<Request, Signed>(login: PendingLogin<Request, Signed>, nowMs: number): LoginView<Request, Signed> {
  const { request, session, state, failure, signed, expiresAtMs } = login;
  return {
    request,
    session,
    state: state === "pending" && expiresAtMs <= nowMs ? "expired" : state,
    failure,
    signed,
    secondsLeft: Math.max(0, Math.ceil((expiresAtMs - nowMs) / 1000)),
  };
}

function announceExpiry(login: PendingLogin<unknown, unknown>, nowMs: number): void {
  if (login.state !== "pending" || login.expiryAnnounced || login.expiresAtMs > nowMs) return;
  login.expiryAnnounced = true;
  notify(login);
}
