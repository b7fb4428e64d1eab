import { sendPage } from "@dataspace/ui/mount-ui";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Ui } from "@dataspace/ui/ui";
import { awarenessRefusal } from "../errors.ts";
import { eNameInput, readInput } from "../read-input.ts";
import { type Consumer, DEV_CONSUMER, findOrAddConsumer } from "../store/consumer-rows.ts";
import { assertOwnSite } from "./own-form.ts";
import type { PortalCookie } from "./portal-cookies.ts";
import { signedPage, signInPage } from "./sign-in-page.ts";
import type { SignIns, WalletAnswer } from "./sign-ins.ts";
import type { Visits } from "./visits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/**
 * The dependencies of signing in. `mayBeDev` decides whether a request may sign in as the development stack's own
 * consumer.
 */
export interface SignInDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly ui: Ui;
  readonly signIns: SignIns;
  readonly visits: Visits;
  readonly signInCookie: PortalCookie;
  readonly visitCookie: PortalCookie;
  readonly mayBeDev: (request: FastifyRequest) => boolean;
}

const MAX_TEXT = 1_024;
/** The wallet's body; other members are ignored. Source: S2 "Login flow", 3. */
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
 * Accepts a wallet's answer: `POST /portal/callback` `{ename, session, signature}`, as JSON.
 *
 * Refuses: BAD_REQUEST, INVALID_SIGNATURE, SIGN_IN_OVER, REGISTRY_UNAVAILABLE. Source: S2 "Login flow", 3.
 */
export function mountWalletAnswer(app: FastifyInstance, { signIns }: Pick<SignInDeps, "signIns">): void {
  app.post("/portal/callback", async (request) => {
    await signIns.answer(readInput(walletAnswer, request.body));
    return { signed: true };
  });
}

/**
 * Serves signing in. `GET /portal/sign-in` shows the code until a wallet has signed it, and then redirects. `GET
 * /deeplink-login` is for a wallet on the same device. `POST /portal/sign-in/dev` signs the development stack's own
 * consumer in.
 *
 * Refuses: as the wallet's answer; TOO_MANY_SIGN_INS; NOT_FOUND for `dev` elsewhere; FOREIGN_FORM. Source: S2 "Login
 * flow"; decision E9.
 */
export function mountSignIn(scope: FastifyInstance, deps: SignInDeps): void {
  const { ui, signIns, signInCookie, mayBeDev } = deps;
  scope.get("/portal/sign-in", async (request, reply) => {
    const secret = signInCookie.read(request);
    if (await letIn(deps, reply, secret)) return reply.redirect("/portal/subscriptions", 303);
    const { keep, ...open } = await signIns.open(secret);
    if (keep !== undefined) signInCookie.write(reply, keep);
    return sendPage(reply, await ui.render(signInPage(open, mayBeDev(request))));
  });
  scope.get("/deeplink-login", async (request, reply) => {
    await signIns.answer(readInput(walletAnswer, request.query));
    const isHere = await letIn(deps, reply, signInCookie.read(request));
    return sendPage(reply, await ui.render(signedPage(isHere)));
  });
  scope.post("/portal/sign-in/dev", async (request, reply) => {
    assertOwnSite(request);
    if (!mayBeDev(request)) throw awarenessRefusal("NOT_FOUND", "Sign in with your wallet.");
    await begin(deps, reply, DEV_CONSUMER);
    return reply.redirect("/portal/subscriptions", 303);
  });
}

async function letIn(deps: SignInDeps, reply: FastifyReply, secret: string | undefined): Promise<boolean> {
  const ename = await deps.signIns.take(secret);
  if (ename === undefined) return false;
  const at = new Date(deps.clock.nowMs()).toISOString();
  await begin(deps, reply, await findOrAddConsumer(deps.database, ename, at));
  return true;
}

async function begin(deps: SignInDeps, reply: FastifyReply, consumer: Consumer): Promise<void> {
  deps.signInCookie.clear(reply);
  deps.visitCookie.write(reply, await deps.visits.begin(consumer));
}
