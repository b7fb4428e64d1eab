import { formOf } from "@dataspace/service-kit/http/own-form";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Deliveries } from "../delivery/deliveries.ts";
import { awarenessRefusal } from "../errors.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { toFault } from "./fault-page.ts";
import type { PortalPage } from "./frame.ts";
import { secretPage } from "./secret-page.ts";
import { settingsPage } from "./settings-page.ts";
import type { ReadHealth } from "./shown-health.ts";
import { EMPTY_FORM, formToBody, readForm, type SubscriptionForm, toForm } from "./subscription-form.ts";
import { newSubscriptionPage } from "./subscription-form-page.ts";
import { subscriptionListPage } from "./subscription-list-page.ts";
import { type ShownSubscription, subscriptionPage } from "./subscription-page.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

/** Sends a page in the portal's frame. */
export type ShowPage = (request: FastifyRequest, reply: FastifyReply, page: PortalPage) => Promise<FastifyReply>;

/** The dependencies of these pages. */
export interface SubscriptionPagesDeps {
  readonly readHealth: ReadHealth;
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
  const { subscriptions, readHealth, show } = deps;
  app.get(AT, async (request, reply) => {
    const { consumer } = visitorOf(request);
    const [all, health] = await Promise.all([subscriptions.list(consumer.id), readHealth(consumer)]);
    const healthById = new Map(health.map((one) => [one.subscriptionId, one]));
    const shown = { subscriptions: all, healthById, nowMs: deps.clock.nowMs() };
    return show(request, reply, subscriptionListPage(shown));
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
    show(request, reply, newSubscriptionPage(visitorOf(request), { form: EMPTY_FORM })),
  );
  app.post(AT, async (request, reply) => {
    const visitor = visitorOf(request);
    const sent = formOf(request);
    const form = readForm(sent);
    try {
      assertNoFaults(form);
      const { id, secret, targetUrl } = await subscriptions.add(visitor, formToBody(sent));
      const made = { ...NEW_SECRET, secret, targetUrl, goOn: `${AT}/${id}` };
      return await show(request, reply.code(201), secretPage(made));
    } catch (error) {
      return show(request, reply.code(422), newSubscriptionPage(visitor, { form, fault: toFault(error) }));
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
    return show(request, reply, settingsPage(visitorOf(request), subscription, { form: toForm(subscription) }));
  });
  app.post<ById>(`${AT}/:id`, async (request, reply) => {
    const visitor = visitorOf(request);
    const sent = formOf(request);
    const form = readForm(sent);
    try {
      assertNoFaults(form);
      await subscriptions.change(visitor, request.params.id, formToBody(sent));
      return await reply.redirect(`${AT}/${request.params.id}`, 303);
    } catch (error) {
      const given = { form, fault: toFault(error) };
      return show(request, reply.code(422), settingsPage(visitor, await find(request), given));
    }
  });
  app.post<ById>(`${AT}/:id/active`, async (request, reply) => {
    const active = formOf(request).get("active") === "true";
    await subscriptions.change(visitorOf(request), request.params.id, { active });
    return reply.redirect(`${AT}/${request.params.id}/edit`, 303);
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
    deps.readHealth(consumer, subscription.id),
    deps.deliveries.attempts(subscription.id, LATEST),
  ]);
  return { subscription, health, attempts: attempts.entries, nowMs: deps.clock.nowMs() };
}

// The first fault of the form, so that the service is not asked about it.
function assertNoFaults({ faults }: SubscriptionForm): void {
  const [field] = Object.keys(faults);
  if (field !== undefined) throw awarenessRefusal("BAD_REQUEST", "Correct the marked fields.", field);
}

const NEW_SECRET = {
  title: "Your endpoint is subscribed",
  what: "Signing secret",
  about: "Your endpoint verifies each webhook with it.",
  place: "subscriptions",
} as const;

const REPLACED_SECRET = {
  title: "Secret rotated",
  what: "New signing secret",
  about: "Both secrets sign webhooks for 24 hours. Put the new one into your endpoint within that time.",
  place: "subscriptions",
} as const;
