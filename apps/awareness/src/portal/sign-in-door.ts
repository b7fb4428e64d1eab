import { sendPage } from "@dataspace/ui/mount-ui";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Ui } from "@dataspace/ui/ui";
import type { AnswerFailure, AnswerResult } from "@dataspace/wallet-login/pending-logins";
import type { WalletAnswer } from "@dataspace/wallet-login/wallet-answer";
import type { WalletLogin } from "@dataspace/wallet-login/wallet-login";
import { type AwarenessErrorCode, awarenessRefusal } from "../errors.ts";
import { eNameInput, readInput } from "../read-input.ts";
import { DEV_CONSUMER, findOrAddConsumer } from "../store/consumer-rows.ts";
import { assertOwnSite } from "./own-form.ts";
import { signedPage, signInPage } from "./sign-in-page.ts";
import type { Visits } from "./visits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** What signing in works with. `mayBeDev` returns whether a request may sign in as the development stack's own consumer. */
export interface SignInDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly ui: Ui;
  readonly walletLogin: WalletLogin;
  readonly visits: Visits;
  readonly mayBeDev: (request: FastifyRequest) => boolean;
}

const MAX_TEXT = 1_024;
/** The fields of a wallet's answer that are read; others are ignored. Source: S2 "Login flow", 3. */
export const walletAnswer: z.ZodType<WalletAnswer> = z.object({
  ename: eNameInput.describe("Whose wallet it is."),
  session: z
    .string()
    .regex(/^[A-Za-z0-9_-]{1,128}$/, "must be the session of a code")
    .describe("The session of the code, as it stands there."),
  signature: z
    .string()
    .min(1)
    .max(MAX_TEXT)
    .describe("Of the session's text, by a key that is certified for the eName."),
});

/**
 * Takes a wallet's answer: `POST /portal/callback` `{ename, session, signature}`, as JSON.
 *
 * Refuses: BAD_REQUEST, INVALID_SIGNATURE, SIGN_IN_OVER, REGISTRY_UNAVAILABLE. Source: S2 "Login flow", 3.
 */
export function mountWalletAnswer(app: FastifyInstance, { walletLogin }: Pick<SignInDeps, "walletLogin">): void {
  app.post("/portal/callback", async (request) => {
    assertSigned(await walletLogin.answer(readInput(walletAnswer, request.body)));
    return { signed: true };
  });
}

/**
 * Serves signing in. `GET /portal/sign-in` shows the code until a wallet has signed it and then redirects. A wallet on the same device
 * opens `GET /deeplink-login`, and `GET /portal/signed` is the page after it. `POST /portal/sign-in/dev` admits the development stack's
 * own consumer.
 *
 * Refuses: as the wallet's answer; TOO_MANY_SIGN_INS; NOT_FOUND for `dev` elsewhere; FOREIGN_FORM. Source: S2 "Login flow"; decision E9.
 */
export function mountSignIn(scope: FastifyInstance, deps: SignInDeps): void {
  const { ui, walletLogin, visits, mayBeDev } = deps;
  scope.get("/portal/sign-in", async (request, reply) => {
    if (await letIn(deps, request, reply)) return reply.redirect("/portal", 303);
    const shown = await walletLogin.open(request.headers.cookie);
    if (shown === undefined) {
      throw awarenessRefusal(
        "TOO_MANY_SIGN_INS",
        "Too many sign-ins wait for a wallet now; open the page again in a few minutes.",
      );
    }
    reply.header("set-cookie", shown.setCookie);
    return sendPage(reply, await ui.render(signInPage(shown, mayBeDev(request))));
  });
  scope.get("/deeplink-login", async (request, reply) => {
    assertSigned(await walletLogin.answer(readInput(walletAnswer, request.query)));
    if (!(await letIn(deps, request, reply))) return sendPage(reply, await ui.render(signedPage(false)));
    // A clean address: the signature does not stay in the browser's history.
    return reply.header("referrer-policy", "no-referrer").redirect("/portal/signed", 303);
  });
  // A page and no redirect to the list: the chain began on another site, and SameSite=Strict would withhold the cookie.
  scope.get("/portal/signed", async (_request, reply) => sendPage(reply, await ui.render(signedPage(true))));
  scope.post("/portal/sign-in/dev", async (request, reply) => {
    assertOwnSite(request);
    if (!mayBeDev(request)) throw awarenessRefusal("NOT_FOUND", "Sign in with your wallet.");
    await visits.begin(reply, DEV_CONSUMER);
    return reply.redirect("/portal", 303);
  });
}

async function letIn(deps: SignInDeps, request: FastifyRequest, reply: FastifyReply): Promise<boolean> {
  const signer = await deps.walletLogin.collect(request.headers.cookie);
  if (signer === undefined) return false;
  reply.header("set-cookie", signer.setCookie);
  const at = new Date(deps.clock.nowMs()).toISOString();
  await deps.visits.begin(reply, await findOrAddConsumer(deps.database, signer.ename, at));
  return true;
}

const NOT_SIGNED = ["INVALID_SIGNATURE", "The session is not signed by a key in force of this eName."] as const;
const UNAVAILABLE = ["REGISTRY_UNAVAILABLE", "The registry or the eName's vault does not answer; try again."] as const;
const OVER = ["SIGN_IN_OVER", "This code is used up or too old; open the sign-in page again."] as const;
const REFUSAL_BY_FAILURE: Readonly<Record<AnswerFailure, readonly [AwarenessErrorCode, string]>> = {
  bad_signature: NOT_SIGNED,
  no_certificate: NOT_SIGNED,
  unknown_ename: NOT_SIGNED,
  upstream_timeout: UNAVAILABLE,
  upstream_unavailable: UNAVAILABLE,
  unknown_session: OVER,
  session_used: OVER,
  session_expired: OVER,
};

function assertSigned(result: AnswerResult<unknown>): void {
  if ("failure" in result) throw awarenessRefusal(...REFUSAL_BY_FAILURE[result.failure]);
}
