import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { countAttempts } from "../store/attempt-counts.ts";
import type { Subscriptions } from "../subscriptions/subscriptions.ts";
import { beginOfPeriod, PERIODS, readPeriod } from "./delivery-chart.ts";
import { overviewPage } from "./overview-page.ts";
import type { ReadHealth } from "./shown-health.ts";
import type { ShowPage } from "./subscription-pages.ts";
import { visitorOf } from "./visitor.ts";
import type { FastifyInstance } from "fastify";

/** The dependencies of the overview. */
export interface OverviewDeps {
  readonly database: Queryable;
  readonly readHealth: ReadHealth;
  readonly clock: Clock;
  readonly subscriptions: Subscriptions;
  readonly show: ShowPage;
}

type Asked = { readonly Querystring: Readonly<Record<string, unknown>> };

/** Serves the overview of a consumer's deliveries: `GET /portal?period=hour|day`. Refuses: never. Source: decision E7. */
export function mountOverview(app: FastifyInstance, deps: OverviewDeps): void {
  const { database, readHealth, clock, subscriptions, show } = deps;
  app.get<Asked>("/portal", async (request, reply) => {
    const { consumer } = visitorOf(request);
    const period = readPeriod(request.query["period"]);
    const nowMs = clock.nowMs();
    const counted = {
      consumerId: consumer.id,
      sinceMs: beginOfPeriod(period, nowMs),
      spanMs: PERIODS[period].spanMs,
    };
    const [all, health, attempts] = await Promise.all([
      subscriptions.list(consumer.id),
      readHealth(consumer),
      countAttempts(database, counted),
    ]);
    const healthById = new Map(health.map((one) => [one.subscriptionId, one]));
    return show(request, reply, overviewPage({ subscriptions: all, healthById, attempts, period, nowMs }));
  });
}
