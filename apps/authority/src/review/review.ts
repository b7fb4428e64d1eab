import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { acceptForms, hasFormToken, isOwnSite } from "@dataspace/service-kit/http/own-form";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { sendPage } from "@dataspace/ui/mount-ui";
import { mayReview } from "../decisions/reviewers.ts";
import { authorityRefusal } from "../errors.ts";
import { mountCertificatePages } from "./certificate-doors.ts";
import { faultPage, reviewPage } from "./frame.ts";
import { mountLogPage } from "./log-page.ts";
import { mountRequestPage, mountSignatureAnswer, type RequestDoorConfig } from "./request-doors.ts";
import type { ShowPage } from "./show-page.ts";
import { mountSignIn, mountWalletAnswer, type SignInConfig, type SignInDeps } from "./sign-in-doors.ts";
import { mountSubmissionPages, type ReviewDoorDeps } from "./submission-doors.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

/** What the review pages work with: how reviewers sign in, and what they see. */
export interface ReviewDeps {
  readonly signIn: SignInDeps;
  readonly inside: Omit<ReviewDoorDeps, "show">;
}

/** How the review pages behave. */
export type ReviewConfig = SignInConfig & RequestDoorConfig;

const FORM_BYTES = 65_536;

/**
 * Serves the review pages: reviewers sign in by wallet, see submissions, certificates and the log, and sign what they decide. Everything
 * is a link or a form, so it works without JavaScript.
 *
 * Visitors who are not signed in are sent to the sign-in page; refusals are shown on a page. Refuses: FOREIGN_FORM, and as what it shows.
 * Source: decisions A1, A6, L11.
 */
export function mountReview(app: FastifyInstance, deps: ReviewDeps, config: ReviewConfig): void {
  mountWalletAnswer(app, deps.signIn);
  mountSignatureAnswer(app, deps.inside);
  app.register((scope, _options, done) => {
    acceptForms(scope, { limitBytes: FORM_BYTES });
    showFaults(scope, deps.signIn);
    mountSignIn(scope, deps.signIn, config);
    scope.register((inside, _insideOptions, insideDone) => {
      admitReviewers(inside, deps.signIn, config);
      mountInside(inside, deps, config);
      insideDone();
    });
    done();
  });
}

function mountInside(inside: FastifyInstance, { signIn, inside: deps }: ReviewDeps, config: ReviewConfig): void {
  const { ui, visits, visitCookie } = signIn;
  const show: ShowPage = async (request, reply, page) =>
    sendPage(reply, await ui.render(reviewPage(visitorOf(request), page)));
  inside.get("/review", async (_request, reply) => reply.redirect("/review/submissions", 303));
  inside.post("/review/sign-out", async (request, reply) => {
    await visits.end(visitCookie.read(request.headers.cookie) ?? "");
    return reply.header("set-cookie", visitCookie.clear()).redirect("/review/sign-in", 303);
  });
  const doors = { ...deps, show };
  mountSubmissionPages(inside, doors);
  mountCertificatePages(inside, doors);
  mountRequestPage(inside, doors, config);
  mountLogPage(inside, doors);
}

// Before anything of a page or a form is processed: the reviewer, and whether the form is theirs.
function admitReviewers(
  inside: FastifyInstance,
  { visits, visitCookie }: SignInDeps,
  { issuer, reviewers }: ReviewConfig,
): void {
  inside.decorateRequest("reviewVisitor", null);
  inside.addHook("preHandler", async (request, reply) => {
    const token = visitCookie.read(request.headers.cookie);
    const visitor = token === undefined ? undefined : await visits.find(token);
    if (visitor === undefined || !mayReview(reviewers, visitor.ename)) return reply.redirect("/review/sign-in", 303);
    request.reviewVisitor = visitor;
    if (request.method !== "POST") return;
    const isOwn = isOwnSite(request, (origin) => origin === issuer) && hasFormToken(request, visitor.formToken);
    if (!isOwn) throw authorityRefusal("FOREIGN_FORM", "Open the page again and send the form from there.");
  });
}

function showFaults(scope: FastifyInstance, { ui }: Pick<SignInDeps, "ui">): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const answer = errorToAnswer(error);
    const { status, body } = answer;
    if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, "the page failed");
    const field = error instanceof Refusal ? error.field : undefined;
    return sendPage(refuseWith(reply, answer), await ui.render(faultPage({ ...body.error, field })));
  });
}
