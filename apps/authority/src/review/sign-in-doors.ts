import { addressKey, type CountRequest } from "@dataspace/service-kit/http/rate-limits";
import { sendPage } from "@dataspace/ui/mount-ui";
import { fastifyWalletLogin } from "@dataspace/wallet-login/fastify";
import { VISIT_SECONDS } from "@dataspace/wallet-login/visit-tokens";
import { createWalletLoginDoor } from "@dataspace/wallet-login/wallet-login-door";
import type { EName } from "@dataspace/protocol/ename";
import type { Ui } from "@dataspace/ui/ui";
import type { LoginCookie } from "@dataspace/wallet-login/login-cookie";
import type { WalletLogin } from "@dataspace/wallet-login/wallet-login";
import { mayReview, type Reviewers } from "../decisions/reviewers.ts";
import { authorityRefusal } from "../errors.ts";
import { readEName } from "../http/read-input.ts";
import { messagePage, notReviewerPage, signedPage, signInPage } from "./sign-in-pages.ts";
import type { Visits } from "./visits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What signing in works with. `visitCookie` carries a visit's token; `countSignIn` counts a new sign-in. */
export interface SignInDeps {
  readonly ui: Ui;
  readonly walletLogin: WalletLogin;
  readonly visits: Visits;
  readonly visitCookie: LoginCookie;
  readonly countSignIn: CountRequest;
}

/** Who may come in, and the development stack's own wallet. */
export interface SignInConfig {
  readonly reviewers: Reviewers;
  readonly sandboxUrl: () => string | undefined;
}

/** The path to which a wallet posts who signs in. */
export const SIGN_IN_CALLBACK = "/review/callback";
const SIGN_IN = "/review/sign-in";
const SIGNED = "/review/signed";
const REFUSED = "/review/refused";
const INSIDE = "/review/submissions";

/** Serves what wallets send: the answer to a sign-in, and the link of a wallet on the same device. Refuses: as the door. */
export function mountWalletAnswer(
  app: FastifyInstance,
  { ui, walletLogin }: Pick<SignInDeps, "ui" | "walletLogin">,
): void {
  const writePage = (page: { readonly title: string; readonly message: string }) => ui.render(messagePage(page));
  const door = createWalletLoginDoor(walletLogin, { callbackPath: SIGN_IN_CALLBACK, landing: SIGNED, writePage });
  app.register(fastifyWalletLogin(door));
}

/**
 * Serves signing in. `GET /review/sign-in` shows a code until a wallet has signed it. `GET /review/signed` is where a wallet on the same
 * device leads to. Only reviewers come in; `GET /review/refused` tells others so.
 *
 * Refuses: RATE_LIMITED, TOO_MANY_SIGN_INS, BAD_REQUEST. Source: S2 "Login flow"; decision A6.
 */
export function mountSignIn(scope: FastifyInstance, deps: SignInDeps, { reviewers, sandboxUrl }: SignInConfig): void {
  const { ui, walletLogin } = deps;
  scope.get(SIGN_IN, async (request, reply) => {
    const signer = await letIn(deps, reviewers, { request, reply });
    if (signer !== undefined) return reply.redirect(signer.isIn ? INSIDE : refusedAt(signer.ename), 303);
    const { cookie } = request.headers;
    if ((await walletLogin.stateOf(cookie)) === undefined) await deps.countSignIn(request, addressKey(request));
    const shown = await walletLogin.open(cookie);
    if (shown === undefined) {
      const message = "Too many sign-ins wait for a wallet now. Open the page again in a few minutes.";
      throw authorityRefusal("TOO_MANY_SIGN_INS", message);
    }
    reply.header("set-cookie", shown.setCookie);
    return sendPage(reply, await ui.render(signInPage(shown, sandboxUrl())));
  });
  // A page and no redirect to the list: the chain began on another site, and SameSite=Strict would withhold the cookie.
  scope.get(SIGNED, async (request, reply) => {
    const signer = await letIn(deps, reviewers, { request, reply });
    if (signer?.isIn === false) return reply.redirect(refusedAt(signer.ename), 303);
    return sendPage(reply, await ui.render(signedPage()));
  });
  scope.get<{ Querystring: Record<string, unknown> }>(REFUSED, async ({ query }, reply) =>
    sendPage(reply, await ui.render(notReviewerPage(readEName(query["ename"], "ename")))),
  );
}

function refusedAt(ename: EName): string {
  return `${REFUSED}?ename=${encodeURIComponent(ename)}`;
}

/** Out: whose wallet signed, and whether they are signed in now; undefined while no wallet has signed. */
async function letIn(
  { walletLogin, visits, visitCookie }: SignInDeps,
  reviewers: Reviewers,
  { request, reply }: { readonly request: FastifyRequest; readonly reply: FastifyReply },
): Promise<{ readonly ename: EName; readonly isIn: boolean } | undefined> {
  const signer = await walletLogin.collect(request.headers.cookie);
  if (signer === undefined) return undefined;
  const { ename, setCookie } = signer;
  reply.header("set-cookie", setCookie);
  const isIn = mayReview(reviewers, ename);
  if (isIn) reply.header("set-cookie", visitCookie.write(await visits.begin(ename), VISIT_SECONDS));
  return { ename, isIn };
}
