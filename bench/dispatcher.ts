import type { EName } from "@dataspace/protocol/ename";
import { INGEST_SECRET, startAwareness } from "./support/bench-awareness.ts";
import { one } from "./support/bench-server.ts";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare, type Variant } from "./support/compare.ts";
import { startFarEnd } from "./support/far-end.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import type { LoadResult } from "./support/load-process.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";

const OWNERS = 100;
const CONNECTIONS = 32;
const LOOK_MS = 20;
/** At saturation windows are longer, because sending the events afterwards, up to 0.2 s, counts as their time. */
const LONGER = 5;
/** At half load a window's p50 varies more than what is looked for, so many windows are taken of the two that a bar compares. */
const MORE_ROUNDS = 6;

const OFF = "dispatcher off";
const ELSEWHERE = "on, awareness service elsewhere";
const HERE = "on, awareness service on the same cores";

/** What sending events costs creates: compared with a vault that sends none, at saturation and at half of that. */
export async function benchDispatcher(context: BenchContext): Promise<BenchReport> {
  const { server } = context;
  await using farEnd = await startFarEnd({ isElsewhere: true });
  await using events = await server.createDatabase("awareness");
  await using awareness = await startAwareness(events);
  await using stack = new AsyncDisposableStack();
  const starts = [
    { stack, name: OFF, port: undefined },
    { stack, name: ELSEWHERE, port: farEnd.receiverPort },
    { stack, name: HERE, port: awareness.port },
  ];
  const vaults: Announcing[] = [];
  for (const start of starts) vaults.push(await startWithAwareness(context, start));
  const longer = { ...context, sizes: { ...context.sizes, windowMs: LONGER * context.sizes.windowMs } };
  const saturated = await compare(
    longer,
    vaults.map((vault) => createsOf(longer, vault, undefined)),
  );
  const [off, elsewhere, here] = vaults as [Announcing, Announcing, Announcing];
  const perSecond = (saturated.figures[1]?.opsPerSecond ?? Number.NaN) / 2;
  const atHalf = (vault: Announcing) => createsOf(context, vault, perSecond);
  const more = { ...context, sizes: { ...context.sizes, rounds: MORE_ROUNDS * context.sizes.rounds } };
  const half = await compare(more, [off, elsewhere].map(atHalf));
  const halfHere = await compare(context, [off, here].map(atHalf));
  return {
    outcomes: [
      {
        name: `creates at saturation, ${ELSEWHERE} / off`,
        measured: saturated.ratio("opsPerSecond", ELSEWHERE, OFF),
        bar: 0.75,
        atMost: false,
      },
      {
        name: `p50 of a create at half load, ${ELSEWHERE} / off`,
        measured: half.ratio("p50Ms", ELSEWHERE, OFF),
        bar: 1.1,
        atMost: true,
      },
    ],
    figures: [...saturated.figures, ...half.figures, ...halfHere.figures],
    notes: [
      `Saturation: ${CONNECTIONS} connections; half load: ${perSecond.toFixed(0)} creates/s, evenly, half of the rate of the vault that sends its events. An awareness service elsewhere is an answer that stores nothing; one on the same cores has no subscription. At saturation a window lasts until its events are sent. CPU of the service is the vault's; that of an awareness service here is in none of the columns.`,
      `Where the awareness service and its database take of the same cores as well, to which no bar applies: creates at saturation ${saturated.ratio("opsPerSecond", HERE, OFF).toFixed(2)}, p50 at half load ${halfHere.ratio("p50Ms", HERE, OFF).toFixed(2)}.`,
    ],
  };
}

/** A vault whose creates are prepared under its name. */
interface Announcing {
  readonly name: string;
  readonly pid: number;
  readonly untilHandedOver: () => Promise<void>;
}

async function startWithAwareness(
  { server, load }: BenchContext,
  {
    stack,
    name,
    port,
  }: { readonly stack: AsyncDisposableStack; readonly name: string; readonly port: number | undefined },
): Promise<Announcing> {
  const database = stack.use(await server.createDatabase("vault"));
  await makeTables(database);
  const awareness = port === undefined ? null : { url: `http://127.0.0.1:${port}`, secret: INGEST_SECRET };
  const vault = stack.use(await startVault(database.url, { awareness }));
  const owners = await createOwners(database, OWNERS);
  const requests = Array.from({ length: 1_000 }, (_, number) =>
    toHttp(createRequest(owners[number % OWNERS] as EName, sampleInput(number))),
  );
  await load.prepare({ name, port: vault.port, requests });
  // By its index: whatever was there and is gone would be read over and over.
  const lanes = "select from outbox_lane where next_at is not null order by next_at limit 1";
  const waiting = async () =>
    (await one<{ waiting: boolean }>(database, `select exists (${lanes}) as waiting`)).waiting;
  return {
    name,
    pid: vault.pid,
    untilHandedOver: async () => {
      while (port !== undefined && (await waiting())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}

// At saturation the window lasts until its events are gone, so that no vault looks quick by leaving them for later.
function createsOf({ load, sizes }: BenchContext, vault: Announcing, perSecond: number | undefined): Variant {
  const steady = perSecond === undefined ? {} : { perSecond };
  const run = async (): Promise<LoadResult> => {
    const window = { name: vault.name, connections: CONNECTIONS, durationMs: sizes.windowMs, ...steady };
    const result = await load.run(window);
    const endMs = performance.now();
    await vault.untilHandedOver();
    const lateMs = perSecond === undefined ? performance.now() - endMs : 0;
    return { ...result, elapsedMs: result.elapsedMs + lateMs };
  };
  return { name: vault.name, servicePid: vault.pid, run };
}
