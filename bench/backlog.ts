import { startAwareness, subscribe } from "./support/bench-awareness.ts";
import { compare, type Variant } from "./support/compare.ts";
import { assertInOrder, type FarEnd, startFarEnd } from "./support/far-end.ts";
import { emptyDeliveries, loadDeliveries, setActive } from "./support/load-deliveries.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";

const VERSIONS = 5;
/** More than one window can take. */
const FEW_PER_MS = 5;

const FEW = "a queue of a window";
const MANY = "a large queue";

/** How fast a queue is delivered, with very many webhooks waiting beside with few. */
export async function benchBacklog(context: BenchContext): Promise<BenchReport> {
  await using farEnd = await startFarEnd();
  await using stack = new AsyncDisposableStack();
  const { waitingWebhooks, windowMs } = context.sizes;
  const variants = [
    await startVariant(context, { stack, farEnd, name: FEW, waiting: windowMs * FEW_PER_MS, isRenewed: true }),
    await startVariant(context, { stack, farEnd, name: MANY, waiting: waitingWebhooks, isRenewed: false }),
  ];
  const comparison = await compare({ ...context, load: { ...context.load, pid: farEnd.pid } }, variants);
  await assertInOrder(farEnd);
  return {
    outcomes: [
      {
        name: "drain rate, many waiting / few",
        measured: comparison.ratio("opsPerSecond", MANY, FEW),
        bar: 0.6,
        atMost: false,
      },
    ],
    figures: comparison.figures,
    notes: [
      `${waitingWebhooks} webhooks waiting at the start, ${VERSIONS} of each record, for one subscription; beside it a queue that one window drains, in tables that hold nothing else. No events are sent meanwhile. Latencies say nothing here.`,
    ],
  };
}

interface Queue {
  readonly stack: AsyncDisposableStack;
  readonly farEnd: FarEnd;
  readonly name: string;
  readonly waiting: number;
  /** Whether it is emptied and filled before each window. */
  readonly isRenewed: boolean;
}

async function startVariant({ server, sizes }: BenchContext, queue: Queue): Promise<Variant> {
  const { stack, farEnd, name, waiting, isRenewed } = queue;
  const database = stack.use(await server.createDatabase("backlog"));
  const awareness = stack.use(await startAwareness(database));
  const subscriptionId = await subscribe(awareness, `http://127.0.0.1:${farEnd.receiverPort}/${waiting}`);
  await setActive(database, subscriptionId, false);
  const fill = () => loadDeliveries(database, { subscriptionId, records: waiting / VERSIONS, versions: VERSIONS });
  if (!isRenewed) await fill();
  return {
    name,
    servicePid: awareness.pid,
    prepare: async () => {
      if (!isRenewed) return;
      await emptyDeliveries(database);
      await fill();
    },
    run: async () => {
      const draining = farEnd.drain({ waiting, durationMs: sizes.windowMs });
      await setActive(database, subscriptionId, true);
      const drained = await draining;
      await setActive(database, subscriptionId, false);
      return drained;
    },
  };
}
