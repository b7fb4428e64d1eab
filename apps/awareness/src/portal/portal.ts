import { errorToAnswer } from "@dataspace/service-kit/http/error-answer";
import { refuseWith } from "@dataspace/service-kit/http/http-server";
import { acceptForms, formOf } from "@dataspace/service-kit/http/own-form";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import { sendPage } from "@dataspace/ui/mount-ui";
import type { EName } from "@dataspace/protocol/ename";
import type { ApiKeys } from "../consumers/api-keys.ts";
import { isAdmin, type Platforms } from "../consumers/platforms.ts";
import type { MayHearOf } from "../delivery/attempt-delivery.ts";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { mountApiKeyPages, mountPlatformPages } from "./account-pages.ts";
import { mountDeliveryPages } from "./delivery-pages.ts";
import { faultPage } from "./fault-page.ts";
import { type PortalPage, portalPage } from "./frame.ts";
import { mountOverview } from "./overview-door.ts";
import { assertOwnForm, isOwnSite } from "./own-form.ts";
import type { ReadHealth } from "./shown-health.ts";
import { mountSignIn, mountWalletAnswer, type SignInDeps } from "./sign-in-door.ts";
import { mountSubscriptionPages } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { Visits } from "./visits.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** The operations of the API that the pages call for a visitor. */
export interface AccountOperations {
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly apiKeys: ApiKeys;
  readonly platforms: Platforms;
}

/** The dependencies of the portal. */
export interface PortalDeps {
  readonly signIn: SignInDeps;
  readonly operations: AccountOperations;
  readonly readHealth: ReadHealth;
  readonly mayHearOf: MayHearOf;
}

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
  mountWalletAnswer(app, deps.signIn);
  app.register((scope, _options, done) => {
    acceptForms(scope, { limitBytes: FORM_BYTES });
    tellFaultsByPage(scope, deps.signIn);
    mountSignIn(scope, deps.signIn);
    scope.register((inside, _insideOptions, insideDone) => {
      admitVisitors(inside, deps.signIn, config);
      mountInside(inside, deps);
      insideDone();
    });
    done();
  });
}

function mountInside(inside: FastifyInstance, { signIn, operations, readHealth, mayHearOf }: PortalDeps): void {
  const { database, clock, ui, visits } = signIn;
  const show = async (request: FastifyRequest, reply: FastifyReply, page: PortalPage): Promise<FastifyReply> =>
    sendPage(reply, await ui.render(portalPage(visitorOf(request), page)));
  inside.post("/portal/sign-out", async (request, reply) => {
    await visits.end(request, reply);
    return reply.redirect("/portal/sign-in", 303);
  });
  const { subscriptions, deliveries, apiKeys, platforms } = operations;
  mountOverview(inside, { database, readHealth, clock, subscriptions, show });
  mountSubscriptionPages(inside, { readHealth, clock, subscriptions, deliveries, show });
  mountDeliveryPages(inside, { database, clock, mayHearOf, subscriptions, deliveries, show });
  mountApiKeyPages(inside, { clock, apiKeys, show });
  mountPlatformPages(inside, { platforms, show });
}

// Before anything of a page or a form is processed: the visitor, and whether the form is theirs.
function admitVisitors(
  inside: FastifyInstance,
  { visits }: { readonly visits: Visits },
  { admins }: PortalConfig,
): void {
  inside.decorateRequest("visitor", null);
  inside.addHook("preHandler", async (request, reply) => {
    const visit = await visits.find(request);
    if (visit === undefined) return reply.redirect("/portal/sign-in", 303);
    request.visitor = { ...visit, isAdmin: isAdmin(visit, admins) };
    if (request.method !== "GET") assertOwnForm(request, visit.formToken);
  });
}

function tellFaultsByPage(scope: FastifyInstance, { ui }: Pick<SignInDeps, "ui">): void {
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
