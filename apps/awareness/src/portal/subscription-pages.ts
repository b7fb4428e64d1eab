import { formOf } from "@dataspace/service-kit/http/own-form";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Deliveries } from "../delivery/deliveries.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { toFault } from "./fault-page.ts";
import type { PortalPage } from "./frame.ts";
import { secretPage } from "./secret-page.ts";
import { readHealth, type ShownHealthDeps } from "./shown-health.ts";
import {
  EMPTY_FORM,
  editSubscriptionPage,
  formToBody,
  newSubscriptionPage,
  readForm,
  toForm,
} from "./subscription-form-page.ts";
import { subscriptionListPage } from "./subscription-list-page.ts";
import { type ShownSubscription, subscriptionPage } from "./subscription-page.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Sends a page in the portal's frame. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply, page: PortalPage) => Promise<FastifyReply>;

/** The dependencies of these pages. */
export interface SubscriptionPagesDeps extends ShownHealthDeps {
  readonly clock: Clock;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly show: ShowPage;
}

type ById = { readonly Params: { readonly id: string } };

const AT = "/portal/subscriptions";
const LATEST = { first: "10" };

/**
 * Serves the pages of subscriptions: the list, one subscription, create, change, pause, remove, secret rotation, and a
 * test event. Visitors see only their own.
 *
 * Refuses: as `Subscriptions`; faults of a form are shown in it. Source: decisions E7, E9.
 */
export function mountSubscriptionPages(app: FastifyInstance, deps: SubscriptionPagesDeps): void {
  mountMaking(app, deps);
  mountChanging(app, deps);
  const { subscriptions, show } = deps;
  app.get(AT, async (request, reply) => {
    const { consumer } = visitorOf(request);
    const [all, health] = await Promise.all([subscriptions.list(consumer.id), readHealth(deps, consumer)]);
    const healthById = new Map(health.map((one) => [one.subscriptionId, one]));
    return show(request, reply, subscriptionListPage(all, healthById, deps.clock.nowMs()));
  });
  app.get<ById>(`${AT}/:id`, async (request, reply) =>
    show(request, reply, subscriptionPage(visitorOf(request), await readOne(deps, request))),
  );
  app.post<ById>(`${AT}/:id/test`, async (request, reply) => {
    const outcome = await subscriptions.test(visitorOf(request), request.params.id);
    const shown = await readOne(deps, request);
    return show(request, reply, subscriptionPage(visitorOf(request), { ...shown, outcome }));
  });
}

function mountMaking(app: FastifyInstance, { subscriptions, show }: SubscriptionPagesDeps): void {
  app.get(`${AT}/new`, async (request, reply) =>
    show(request, reply, newSubscriptionPage(visitorOf(request), EMPTY_FORM)),
  );
  app.post(AT, async (request, reply) => {
    const visitor = visitorOf(request);
    const form = formOf(request);
    try {
      const { id, secret } = await subscriptions.add(visitor, formToBody(form));
      return await show(request, reply.code(201), secretPage({ ...NEW_SECRET, secret, goOn: `${AT}/${id}` }));
    } catch (error) {
      const fault = toFault(error);
      return show(request, reply.code(422), newSubscriptionPage(visitor, readForm(form), fault));
    }
  });
  app.post<ById>(`${AT}/:id/rotate-secret`, async (request, reply) => {
    const { id } = request.params;
    const { secret } = await subscriptions.rotateSecret(visitorOf(request), id, {});
    return show(request, reply, secretPage({ ...REPLACED_SECRET, secret, goOn: `${AT}/${id}` }));
  });
}

function mountChanging(app: FastifyInstance, { subscriptions, show }: SubscriptionPagesDeps): void {
  const find = (request: FastifyRequest<ById>): Promise<Subscription> =>
    subscriptions.find(visitorOf(request).consumer.id, request.params.id);
  app.get<ById>(`${AT}/:id/edit`, async (request, reply) => {
    const subscription = await find(request);
    return show(request, reply, editSubscriptionPage(visitorOf(request), subscription, { form: toForm(subscription) }));
  });
  app.post<ById>(`${AT}/:id`, async (request, reply) => {
    const visitor = visitorOf(request);
    const form = formOf(request);
    try {
      await subscriptions.change(visitor, request.params.id, formToBody(form));
      return await reply.redirect(`${AT}/${request.params.id}`, 303);
    } catch (error) {
      const given = { form: readForm(form), fault: toFault(error) };
      return show(request, reply.code(422), editSubscriptionPage(visitor, await find(request), given));
    }
  });
  app.post<ById>(`${AT}/:id/active`, async (request, reply) => {
    const active = formOf(request).get("active") === "true";
    await subscriptions.change(visitorOf(request), request.params.id, { active });
    return reply.redirect(`${AT}/${request.params.id}`, 303);
  });
  app.post<ById>(`${AT}/:id/remove`, async (request, reply) => {
    await subscriptions.remove(visitorOf(request), request.params.id);
    return reply.redirect(AT, 303);
  });
}

async function readOne(deps: SubscriptionPagesDeps, request: FastifyRequest<ById>): Promise<ShownSubscription> {
  const { consumer } = visitorOf(request);
  const subscription = await deps.subscriptions.find(consumer.id, request.params.id);
  const [[health], attempts] = await Promise.all([
    readHealth(deps, consumer, subscription.id),
    deps.deliveries.attempts(subscription.id, LATEST),
  ]);
  return { subscription, health, attempts: attempts.entries, nowMs: deps.clock.nowMs() };
}

const NEW_SECRET = {
  title: "Subscribed",
  what: "The secret that signs its webhooks",
  about: "Your endpoint verifies each webhook by it, or by the keys at /.well-known/webhook-keys.",
  place: "subscriptions",
} as const;

const REPLACED_SECRET = {
  title: "Secret replaced",
  what: "The new secret",
  about: "Webhooks are signed by it and by the one before it for 24 hours; put it into your endpoint within that time.",
  place: "subscriptions",
} as const;
