import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { acceptForms, formOf } from "@dataspace/service-kit/http/own-form";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { sendPage } from "@dataspace/ui/mount-ui";
import type { EName } from "@dataspace/protocol/ename";
import { isAdmin } from "../consumers/platforms.ts";
import { type AccountPagesDeps, mountApiKeyPages, mountPlatformPages } from "./account-pages.ts";
import { type DeliveryPagesDeps, mountDeliveryPages } from "./delivery-pages.ts";
import { faultPage } from "./fault-page.ts";
import { type PortalPage, portalPage } from "./frame.ts";
import { mountOverview } from "./overview-door.ts";
import { assertOwnForm, isOwnSite } from "./own-form.ts";
import type { PortalCookie } from "./portal-cookies.ts";
import { mountSignIn, mountWalletAnswer, type SignInDeps } from "./sign-in-door.ts";
import { mountSubscriptionPages, type SubscriptionPagesDeps } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { Visits } from "./visits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The dependencies of the portal. */
export interface PortalDeps
  extends SignInDeps,
    Omit<SubscriptionPagesDeps, "show">,
    Omit<DeliveryPagesDeps, "show">,
    Omit<AccountPagesDeps, "show"> {}

/** Checks whether a visitor is one of the operator's. */
export interface PortalConfig {
  readonly admins: ReadonlySet<EName>;
}

const FORM_BYTES = 262_144;

/**
 * Serves the portal: pages on which consumers manage their subscriptions, after signing in by wallet. Everything is a
 * link or a form, so it works without JavaScript.
 *
 * Visitors who are not signed in are sent to the sign-in page; refusals are shown on a page. Refuses: FOREIGN_FORM, and
 * as what it shows.
 * Source: decisions E7, E9, L11.
 */
export function mountPortal(app: FastifyInstance, deps: PortalDeps, config: PortalConfig): void {
  mountWalletAnswer(app, deps);
  app.register((scope, _options, done) => {
    acceptForms(scope, { limitBytes: FORM_BYTES });
    tellFaultsByPage(scope, deps);
    mountSignIn(scope, deps);
    scope.register((inside, _insideOptions, insideDone) => {
      admitVisitors(inside, deps, config);
      mountInside(inside, deps);
      insideDone();
    });
    done();
  });
}

function mountInside(inside: FastifyInstance, deps: PortalDeps): void {
  const show = async (request: FastifyRequest, reply: FastifyReply, page: PortalPage): Promise<FastifyReply> =>
    sendPage(reply, await deps.ui.render(portalPage(visitorOf(request), page)));
  inside.post("/portal/sign-out", async (request, reply) => {
    await deps.visits.end(deps.visitCookie.read(request) ?? "");
    deps.visitCookie.clear(reply);
    return reply.redirect("/portal/sign-in", 303);
  });
  mountOverview(inside, { ...deps, show });
  mountSubscriptionPages(inside, { ...deps, show });
  mountDeliveryPages(inside, { ...deps, show });
  mountApiKeyPages(inside, { ...deps, show });
  mountPlatformPages(inside, { ...deps, show });
}

// Before anything of a page or a form is processed: the visitor, and whether the form is theirs.
function admitVisitors(
  inside: FastifyInstance,
  { visits, visitCookie }: { readonly visits: Visits; readonly visitCookie: PortalCookie },
  { admins }: PortalConfig,
): void {
  inside.decorateRequest("visitor", null);
  inside.addHook("preHandler", async (request, reply) => {
    const token = visitCookie.read(request);
    const visit = token === undefined ? undefined : await visits.find(token);
    if (visit === undefined) return reply.redirect("/portal/sign-in", 303);
    request.visitor = { ...visit, isAdmin: isAdmin(visit, admins) };
    if (request.method !== "GET") assertOwnForm(request, visit.formToken);
  });
}

function tellFaultsByPage(scope: FastifyInstance, { ui }: PortalDeps): void {
  scope.setErrorHandler(async (error, request, reply) => {
    const answer = errorToAnswer(error);
    const { status, body } = answer;
    if (status >= 500) request.log.error({ err: error, route: request.routeOptions.url }, "the page failed");
    const field = error instanceof Refusal ? error.field : undefined;
    const refused = {
      fault: { ...body.error, field },
      status,
      route: request.routeOptions.url ?? "",
      address: request.url,
      // What another site sent is not offered to be sent from here.
      sent: request.method !== "GET" && isOwnSite(request) ? formOf(request) : undefined,
    };
    return sendPage(refuseWith(reply, answer), await ui.render(faultPage(refused)));
  });
}
