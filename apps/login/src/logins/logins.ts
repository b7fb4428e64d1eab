import type { PendingLogins, LoginView as View } from "@dataspace/wallet-login/pending-logins";
import type { SignedLogin } from "../provider/account-claims.ts";
import type { LoginRequest } from "../provider/op-core.ts";

/** The connector's logins that wait for a wallet: those of clients, and those of its own portal. */
export type Logins = PendingLogins<LoginRequest, SignedLogin>;

/** One of them, as its own browser sees it. */
export type LoginView = View<LoginRequest, SignedLogin>;

/**
 * Finds the login of an id for the browser that holds its secret. Out: undefined if the secret is another login's.
 *
 * Refuses: never. Source: S2 "Browser binding".
 */
export function findOwnLogin(logins: Logins, id: string, secret: string | undefined): LoginView | undefined {
  const view = logins.find(secret);
  return view?.request.id === id ? view : undefined;
}
