import { makeAuthUri } from "@dataspace/protocol/wallet-uri";
import type { EName } from "@dataspace/protocol/ename";
import { createLoginCookie, type LoginCookie } from "./login-cookie.ts";
import type { LoginStore } from "./login-store.ts";
import type { AnswerResult, LoginState } from "./pending-logins.ts";
import type { WalletAnswer } from "./wallet-answer.ts";
import type { CheckAnswer, Signer } from "./wallet-check.ts";

/** A login for a page to show: `uri` as a QR code and as a link, and the Set-Cookie header that binds it to this browser. */
export interface ShownLogin {
  readonly uri: string;
  readonly session: string;
  readonly setCookie: string;
}

/** A person who has logged in, and the Set-Cookie header that removes the login's cookie. */
export interface LoggedIn {
  readonly ename: EName;
  readonly setCookie: string;
}

/** Logging in by wallet. Each method that takes `cookies` takes the request's Cookie header and serves that browser only. */
export interface WalletLogin {
  /** Out: undefined while too many logins wait: answer 503 and let the person try again. */
  readonly open: (cookies: string | undefined | null) => Promise<ShownLogin | undefined>;
  readonly stateOf: (cookies: string | undefined | null) => Promise<LoginState | undefined>;
  /** The secret by which this browser is known, whatever other cookies it sends; undefined without one. */
  readonly browserOf: (cookies: string | undefined | null) => string | undefined;
  readonly answer: (answer: WalletAnswer) => Promise<AnswerResult<Signer>>;
  /** Ends the login that this browser started. Out: who logged in, once; undefined before the wallet has signed. */
  readonly collect: (cookies: string | undefined | null) => Promise<LoggedIn | undefined>;
}

/** What logging in needs. */
export interface WalletLoginDeps {
  readonly store: LoginStore;
  readonly check: CheckAnswer;
}

/** How the platform is named in the wallet, and where it is reached. */
export interface WalletLoginConfig {
  readonly name: string;
  /** The platform's own origin, such as `https://notes.example`. */
  readonly publicUrl: () => string;
  /** The path to which wallets post. The default is `/api/auth`. */
  readonly callbackPath?: string;
  readonly cookieName?: string;
  readonly sessionSeconds?: number;
}

/** The path to which wallets post unless a platform chooses another. */
export const DEFAULT_CALLBACK_PATH = "/api/auth";

const DEFAULT_COOKIE = "ds_wallet_login";
const DEFAULT_SESSION_SECONDS = 300;

/**
 * Makes the login. A browser opens one, a wallet answers it, and the same browser collects it. Whoever sees the QR code, or signs
 * it, cannot collect the login, since the browser's secret is in its cookie only.
 *
 * Refuses: what the store and the check throw. Source: S2 "Login flow", "Authentication"; decisions L2, L4, L11.
 */
export function createWalletLogin({ store, check }: WalletLoginDeps, config: WalletLoginConfig): WalletLogin {
  const { name, publicUrl, callbackPath = DEFAULT_CALLBACK_PATH, cookieName = DEFAULT_COOKIE } = config;
  const { sessionSeconds = DEFAULT_SESSION_SECONDS } = config;
  const cookie = (): LoginCookie => createLoginCookie(cookieName, publicUrl().startsWith("https:"));
  return {
    open: async (cookies) => {
      const login = await store.open(cookie().read(cookies));
      if (login === undefined) return undefined;
      const { session, secret } = login;
      const uri = makeAuthUri({ redirect: `${publicUrl()}${callbackPath}`, session, platform: name });
      return { uri, session, setCookie: cookie().write(secret, sessionSeconds) };
    },
    stateOf: async (cookies) => {
      const secret = cookie().read(cookies);
      return secret === undefined ? undefined : store.find(secret);
    },
    browserOf: (cookies) => cookie().read(cookies),
    answer: (answer) => store.answer(answer.session, () => check(answer)),
    collect: async (cookies) => {
      const secret = cookie().read(cookies);
      const ename = secret === undefined ? undefined : await store.take(secret);
      return ename === undefined ? undefined : { ename, setCookie: cookie().clear() };
    },
  };
}
