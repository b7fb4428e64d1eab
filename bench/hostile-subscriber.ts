import { INGEST_SECRET, startAwareness, subscribe } from "./support/bench-awareness.ts";
import type { BenchDatabase } from "./support/bench-server.ts";
import { compare, type Variant } from "./support/compare.ts";
import { assertInOrder, startFarEnd } from "./support/far-end.ts";
import { loadDeliveries, setActive } from "./support/load-deliveries.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const GOOD = 4;
const PER_SECOND = 100;
/** Slots are longer, for a p99 of many. */
const LONGER = 5;
/** Of the webhooks of a large queue, how many wait for the one that hangs, each of a record of its own. */
const SHARE = 0.2;

const ALONE = `${GOOD} subscriptions alone`;
const ONE_MORE = "one more that behaves";
const KINDS: Readonly<Record<string, string>> = {
  hang: "one that hangs",
  dribble: "one that dribbles",
  redirect: "one that redirects",
  flood: "one that answers 10 GiB",
  close: "one that closes",
};

/** How long webhooks take beside a subscription whose endpoint misbehaves, and beside the same one while it behaves. */
export async function benchHostileSubscriber(context: BenchContext): Promise<BenchReport> {
  await using farEnd = await startFarEnd();
  await using database = await context.server.createDatabase("hostile");
  await using awareness = await startAwareness(database);
  await using hostileEnd = await startFarEnd({ isElsewhere: true });
  for (let place = 0; place < GOOD; place += 1) {
    await subscribe(awareness, `http://127.0.0.1:${farEnd.receiverPort}/${place}`);
  }
  const durationMs = LONGER * context.sizes.windowMs;
  const steady = { secret: INGEST_SECRET, port: awareness.port, subscriptions: GOOD, eventsPerSecond: PER_SECOND };
  const run = () => farEnd.steady({ ...steady, durationMs });
  const hostile: string[] = [];
  const prepare = () => tidy(database, hostile);
  const variants: Variant[] = [{ name: ALONE, servicePid: awareness.pid, prepare, run }];
  const fifth = await subscribe(awareness, `http://127.0.0.1:${hostileEnd.receiverPort}/well`);
  await setActive(database, fifth, false);
  variants.push({ name: ONE_MORE, servicePid: awareness.pid, prepare, run: () => beside(database, fifth, run) });
  const records = SHARE * context.sizes.waitingWebhooks;
  for (const [path, name] of Object.entries(KINDS)) {
    const subscriptionId = await subscribe(awareness, `http://127.0.0.1:${hostileEnd.receiverPort}/${path}`);
    await setActive(database, subscriptionId, false);
    if (path === "hang") await loadDeliveries(database, { subscriptionId, records, versions: 1 });
    else hostile.push(subscriptionId);
    variants.push({ name, servicePid: awareness.pid, prepare, run: () => beside(database, subscriptionId, run) });
  }
  const comparison = await compare({ ...context, load: { ...context.load, pid: farEnd.pid } }, variants);
  await assertInOrder(farEnd);
  return {
    outcomes: Object.values(KINDS).map((name) => ({
      name: `p99 of others beside ${name} / beside ${ONE_MORE}`,
      measured: comparison.ratio("p99Ms", name, ONE_MORE),
      bar: 1.2,
      atMost: true,
    })),
    figures: comparison.figures,
    notes: [
      `${PER_SECOND} events/s for ${GOOD} subscriptions, whose webhooks are counted. Beside them one more subscription gets the events of its window too, and behaves or does not, with its circuit closed at the start; for the one that hangs ${records} more wait. Its endpoint is in a process of its own. CPU is per webhook that is counted.`,
    ],
  };
}

/** What failed in one window is not to be tried again in the next, nor to be cleared away while that is measured. */
async function tidy(database: BenchDatabase, hostile: readonly string[]): Promise<void> {
  for (const table of ["lane", "delivery"]) {
    await database.query({ text: `delete from ${table} where subscription_id = any ($1)`, values: [hostile] });
  }
  for (const text of ["vacuum", "checkpoint"]) await database.query({ text, values: [] });
}

async function beside<Result>(
  database: BenchDatabase,
  subscriptionId: string,
  run: () => Promise<Result>,
): Promise<Result> {
  await setActive(database, subscriptionId, true);
  try {
    return await run();
  } finally {
    await setActive(database, subscriptionId, false);
  }
}
