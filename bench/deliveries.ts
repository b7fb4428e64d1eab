import { INGEST_SECRET, startAwareness, subscribe } from "./support/bench-awareness.ts";
import { compare, type Variant } from "./support/compare.ts";
import { assertInOrder, type FarEnd, startFarEnd } from "./support/far-end.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const RECORDS = 10_000;
const WAITING = 1_000;
const MANY = 4;
/** Slots are longer, so that checkpoints and vacuums are in them. */
const LONGER = 5;

const ALONE = "1 subscription: ingest and delivery";
const SHARED = `${MANY} subscriptions: ingest and delivery`;

/** Webhooks over loopback HTTP, from the vault's POST to the platform's answer, while events keep coming. */
export async function benchDeliveries(context: BenchContext): Promise<BenchReport> {
  await using farEnd = await startFarEnd();
  await using stack = new AsyncDisposableStack();
  const variants = [
    await startVariant(context, { stack, farEnd, name: ALONE, subscriptions: 1 }),
    await startVariant(context, { stack, farEnd, name: SHARED, subscriptions: MANY }),
  ];
  const { figures } = await compare({ ...context, load: { ...context.load, pid: farEnd.pid } }, variants);
  const { received, repeated } = await assertInOrder(farEnd);
  return {
    outcomes: figures.map(({ name, opsPerSecond }) => ({
      name: `deliveries, ${name}`,
      measured: opsPerSecond,
      bar: 2_000,
      atMost: false,
      unit: "/s",
    })),
    figures,
    notes: [
      `${received} webhooks, none before its predecessor, ${repeated} repeated; ${RECORDS} records, at most ${WAITING} webhooks on their way. One awareness process, its PostgreSQL, and the far end, which hands events over a hundred at a time and takes the webhooks, share the cores.`,
    ],
  };
}

async function startVariant(
  { server, sizes }: BenchContext,
  given: {
    readonly stack: AsyncDisposableStack;
    readonly farEnd: FarEnd;
    readonly name: string;
    readonly subscriptions: number;
  },
): Promise<Variant> {
  const { stack, farEnd, name, subscriptions } = given;
  const database = stack.use(await server.createDatabase("deliveries"));
  const awareness = stack.use(await startAwareness(database));
  for (let place = 0; place < subscriptions; place += 1) {
    await subscribe(awareness, `http://127.0.0.1:${farEnd.receiverPort}/${subscriptions}-${place}`);
  }
  const feed = { port: awareness.port, secret: INGEST_SECRET, subscriptions, records: RECORDS, waiting: WAITING };
  return {
    name,
    servicePid: awareness.pid,
    run: () => farEnd.feed({ ...feed, durationMs: LONGER * sizes.windowMs }),
  };
}
