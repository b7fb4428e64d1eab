import type { EName } from "@dataspace/protocol/ename";
import type { AnswerResult, LoginState } from "./pending-logins.ts";
import type { CheckOutcome, Signer } from "./wallet-check.ts";

type MaybePromise<Value> = Value | Promise<Value>;

/** A login that waits: what the wallet signs, and the secret that the browser holds in its cookie. */
export interface OpenLogin {
  readonly session: string;
  readonly secret: string;
}

/**
 * Where a platform's logins wait. Each method is atomic: of two answers to one session at most one signs it, and one `take` returns
 * the signer. Use `createMemoryLoginStore` for one process. Write a store over your database if several processes serve one origin.
 */
export interface LoginStore {
  /** Returns the login of a browser, or opens one if it has none that a wallet may still sign. Out: undefined while the store is full. */
  readonly open: (secret: string | undefined) => MaybePromise<OpenLogin | undefined>;
  readonly find: (secret: string) => MaybePromise<LoginState | undefined>;
  readonly answer: (session: string, check: () => Promise<CheckOutcome<Signer>>) => Promise<AnswerResult<Signer>>;
  /** Ends a signed login. Out: its signer, once. */
  readonly take: (secret: string) => MaybePromise<EName | undefined>;
}
