import { formOf } from "@dataspace/service-kit/http/own-form";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { MayHearOf } from "../delivery/attempt-delivery.ts";
import type { Deliveries, DeliveryQuery, OwnSubscription, RedeliveryAnswer } from "../delivery/deliveries.ts";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { findDelivery } from "../store/one-delivery.ts";
import { searchAttempts } from "../store/search-attempts.ts";
import type { Subscription } from "../store/subscription-rows.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { readAttemptForm, toFilter } from "./attempt-form.ts";
import { attemptsPage } from "./attempts-page.ts";
import { deadLettersPage } from "./dead-letters-page.ts";
import { eventPage, type ShownEvent } from "./event-page.ts";
import { type Fault, toFault } from "./fault-page.ts";
import { firstReplayChoice, readReplayChoice, replayPage, timeOfChoice } from "./replay-page.ts";
import type { ShowPage } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** The dependencies of these pages. */
export interface DeliveryPagesDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly mayHearOf: MayHearOf;
  readonly subscriptions: Subscriptions;
  readonly deliveries: Deliveries;
  readonly show: ShowPage;
}

type ById = { readonly Params: { readonly id: string }; readonly Querystring: DeliveryQuery };
type ByEvent = { readonly Params: { readonly id: string; readonly eventId: string } };

const AT = "/portal/subscriptions/:id";
const ALL_OF_ONE = { first: "200" };
const PAGE_SIZE = 25;

// The filters are read apart: a fault of one is shown at its field.
const attemptsQuery = z.object({ after: z.guid().optional() });

/**
 * Serves the pages of a subscription's deliveries: attempts, one event and its resending, dead letters and redrive,
 * replay.
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
    const form = readAttemptForm(request.query);
    const { after } = readInput(attemptsQuery, request.query);
    const search = { subscriptionId: subscription.id, filter: toFilter(form), first: PAGE_SIZE, after };
    const found = await searchAttempts(deps.database, search);
    const shown = { form, found, isLater: after !== undefined, nowMs: clock.nowMs() };
    const hasFaults = Object.keys(form.faults).length > 0;
    return show(request, hasFaults ? reply.code(422) : reply, attemptsPage(subscription, shown));
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
    const again = await redriven(deliveries, whose, eventId);
    const shown = { page: await deliveries.deadLetters(whose, {}), ...again, nowMs: clock.nowMs() };
    const answer = "fault" in again ? reply.code(422) : reply;
    return show(request, answer, deadLettersPage(visitorOf(request), subscription, shown));
  });
  mountReplay(app, deps, own);
  mountEvent(app, deps, own);
}

async function redriven(
  deliveries: Deliveries,
  whose: OwnSubscription,
  eventId: string | undefined,
): Promise<{ readonly redriven: RedeliveryAnswer } | { readonly fault: Fault }> {
  try {
    return { redriven: await deliveries.redrive(whose, eventId === undefined ? {} : { eventId }) };
  } catch (error) {
    return { fault: toFault(error) };
  }
}

type Own = (request: FastifyRequest<{ Params: ById["Params"] }>) => Promise<Subscription>;

function mountReplay(app: FastifyInstance, { deliveries, clock, show }: DeliveryPagesDeps, own: Own): void {
  app.get<ById>(`${AT}/replay`, async (request, reply) => {
    const nowMs = clock.nowMs();
    const subscription = await own(request);
    const job = await deliveries.lastReplay(subscription.id);
    const shown = { choice: firstReplayChoice(nowMs), job, nowMs };
    return show(request, reply, replayPage(visitorOf(request), subscription, shown));
  });
  app.post<ById>(`${AT}/replay`, async (request, reply) => {
    const subscription = await own(request);
    const form = formOf(request);
    const choice = readReplayChoice(form);
    const nowMs = clock.nowMs();
    const since = timeOfChoice(choice, nowMs);
    try {
      const whose = { asker: visitorOf(request), id: subscription.id };
      const answer = await deliveries.replay(whose, { since, dryRun: form.get("doIt") !== "yes" });
      const shown = { choice, since, answer, nowMs };
      return await show(request, reply, replayPage(visitorOf(request), subscription, shown));
    } catch (error) {
      const shown = { choice, fault: toFault(error), nowMs };
      return show(request, reply.code(422), replayPage(visitorOf(request), subscription, shown));
    }
  });
}

function mountEvent(app: FastifyInstance, deps: DeliveryPagesDeps, own: Own): void {
  app.get<ByEvent>(`${AT}/events/:eventId`, async (request, reply) => {
    const shown = await readEvent(deps, request, await own(request));
    return deps.show(request, reply, eventPage(visitorOf(request), shown));
  });
  app.post<ByEvent>(`${AT}/events/:eventId/resend`, async (request, reply) => {
    const subscription = await own(request);
    const { eventId } = request.params;
    // An event that may not be read now is not sent either.
    await readEvent(deps, request, subscription);
    const resent = await deps.deliveries.resend({ asker: visitorOf(request), id: subscription.id }, { eventId });
    const shown = await readEvent(deps, request, subscription);
    return deps.show(request, reply, eventPage(visitorOf(request), { ...shown, resent }));
  });
}

async function readEvent(
  deps: DeliveryPagesDeps,
  request: FastifyRequest<ByEvent>,
  subscription: Subscription,
): Promise<ShownEvent> {
  const { eventId } = request.params;
  // Parses the id as the API does, so that an invalid id is refused in the same way.
  const { entries } = await deps.deliveries.attempts(subscription.id, { ...ALL_OF_ONE, eventId });
  const delivery = await findDelivery(deps.database, subscription.id, eventId);
  const subscriber = { consumer: visitorOf(request).consumer };
  // An event that may not be read now looks like one that never existed.
  if (delivery === undefined || (await deps.mayHearOf({ ...delivery, subscriber })) !== "admitted")
    throw awarenessRefusal("NOT_FOUND", "There is no such event for this subscription.");
  return { subscription, delivery, attempts: entries, nowMs: deps.clock.nowMs() };
}
