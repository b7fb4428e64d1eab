import { formOf } from "@dataspace/service-kit/http/own-form";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { type Listening, listenerOf } from "../consumers/listener-of.ts";
import type { Deliveries, DeliveryQuery } from "../delivery/deliveries.ts";
import { awarenessRefusal } from "../errors.ts";
import { findDelivery } from "../store/one-delivery.ts";
import { textToTerms } from "../store/owner-policy-rows.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import type { Hearing } from "../visibility/hearing.ts";
import { attemptsPage } from "./attempts-page.ts";
import { deadLettersPage } from "./dead-letters-page.ts";
import { eventPage } from "./event-page.ts";
import { toFault } from "./fault-page.ts";
import { replayPage } from "./replay-page.ts";
import type { ShowPage } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The dependencies of these pages. */
export interface DeliveryPagesDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly hearing: Hearing;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly listening: Listening;
  readonly domains: ReadonlyMap<string, string>;
  readonly show: ShowPage;
}

type ById = { readonly Params: { readonly id: string }; readonly Querystring: DeliveryQuery };
type ByEvent = { readonly Params: { readonly id: string; readonly eventId: string } };

const AT = "/portal/subscriptions/:id";
const ALL_OF_ONE = { first: "200" };

/**
 * Serves the pages of a subscription's deliveries: attempts, one event, dead letters and redrive, replay.
 *
 * Refuses: as `Subscriptions` and `Deliveries`; NOT_FOUND for an event that was not for this subscription. Source:
 * decision E7.
 */
export function mountDeliveryPages(app: FastifyInstance, deps: DeliveryPagesDeps): void {
  const { deliveries, clock, show } = deps;
  const own = (request: FastifyRequest<{ Params: ById["Params"] }>): Promise<Subscription> =>
    deps.subscriptions.find(visitorOf(request).consumer.id, request.params.id);
  app.get<ById>(`${AT}/attempts`, async (request, reply) => {
    const subscription = await own(request);
    const page = await deliveries.attempts(subscription.id, request.query);
    return show(request, reply, attemptsPage(subscription, page, clock.nowMs()));
  });
  app.get<ById>(`${AT}/dead-letters`, async (request, reply) => {
    const subscription = await own(request);
    const whose = { asker: visitorOf(request), id: subscription.id };
    const page = await deliveries.deadLetters(whose, request.query);
    return show(request, reply, deadLettersPage(visitorOf(request), subscription, { page, nowMs: clock.nowMs() }));
  });
  app.post<ById>(`${AT}/redrive`, async (request, reply) => {
    const subscription = await own(request);
    const eventId = formOf(request).get("eventId") ?? undefined;
    const whose = { asker: visitorOf(request), id: subscription.id };
    const redriven = await deliveries.redrive(whose, eventId === undefined ? {} : { eventId });
    const shown = { page: await deliveries.deadLetters(whose, {}), redriven, nowMs: clock.nowMs() };
    return show(request, reply, deadLettersPage(visitorOf(request), subscription, shown));
  });
  mountReplay(app, deps, own);
  mountEvent(app, deps, own);
}

type Own = (request: FastifyRequest<{ Params: ById["Params"] }>) => Promise<Subscription>;

function mountReplay(app: FastifyInstance, { deliveries, clock, show }: DeliveryPagesDeps, own: Own): void {
  app.get<ById>(`${AT}/replay`, async (request, reply) => {
    const since = new Date(clock.nowMs() - 3_600_000).toISOString();
    const subscription = await own(request);
    const job = await deliveries.lastReplay(subscription.id);
    return show(request, reply, replayPage(visitorOf(request), subscription, { since, job }));
  });
  app.post<ById>(`${AT}/replay`, async (request, reply) => {
    const subscription = await own(request);
    const form = formOf(request);
    const since = form.get("since") ?? "";
    try {
      const answer = await deliveries.replay(
        { asker: visitorOf(request), id: subscription.id },
        { since, dryRun: form.get("doIt") !== "yes" },
      );
      return await show(request, reply, replayPage(visitorOf(request), subscription, { since, answer }));
    } catch (error) {
      const fault = toFault(error);
      return show(request, reply.code(422), replayPage(visitorOf(request), subscription, { since, fault }));
    }
  });
}

function mountEvent(app: FastifyInstance, deps: DeliveryPagesDeps, own: Own): void {
  app.get<ByEvent>(`${AT}/events/:eventId`, async (request, reply) => {
    const subscription = await own(request);
    const { eventId } = request.params;
    // Parses the id as the API does, so that an invalid id is refused in the same way.
    const { entries } = await deps.deliveries.attempts(subscription.id, { ...ALL_OF_ONE, eventId });
    const delivery = await findDelivery(deps.database, subscription.id, eventId);
    const { hearing } = deps;
    const listener = await hearing.standingOf(listenerOf(visitorOf(request).consumer, deps.listening));
    // An event that may not be read now looks like one that never existed.
    const about = delivery && {
      domain: deps.domains.get(delivery.schemaId),
      terms: textToTerms(delivery.ownerPolicy),
    };
    const judged = delivery && about && { ...delivery, ...about };
    if (delivery === undefined || judged === undefined || (await hearing.decide(listener, [judged]))[0] !== true)
      throw awarenessRefusal("NOT_FOUND", "There is no such event for this subscription.");
    const shown = { subscription, delivery, attempts: entries };
    return deps.show(request, reply, eventPage(visitorOf(request), { ...shown, nowMs: deps.clock.nowMs() }));
  });
}
