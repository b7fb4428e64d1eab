import type { EName } from "@dataspace/protocol/ename";
import { INGEST_SECRET, startAwareness } from "./support/bench-awareness.ts";
import { one } from "./support/bench-server.ts";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { startFarEnd } from "./support/far-end.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport, Outcome } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";
import { type Comparison, compare, type Variant } from "./support/slots.ts";

const OWNERS = 100;
const CONNECTIONS = 32;
const LOOK_MS = 20;

const OFF = "dispatcher off";
const ELSEWHERE = "on, awareness service elsewhere";
const HERE = "on, awareness service on the same cores";

/** What handing events over costs creates: beside a vault that tells nobody, at saturation and at half of that. */
export async function benchDispatcher(context: BenchContext): Promise<BenchReport> {
  const { server } = context;
  await using farEnd = await startFarEnd();
  await using told = await server.createDatabase("awareness");
  await using awareness = await startAwareness(told);
  await using stack = new AsyncDisposableStack();
  const starts = [
    { stack, name: OFF, port: undefined },
    { stack, name: ELSEWHERE, port: farEnd.receiverPort },
    { stack, name: HERE, port: awareness.port },
  ];
  const vaults: Told[] = [];
  for (const start of starts) vaults.push(await startTold(context, start));
  const saturated = await compare(
    context,
    vaults.map((vault) => createsOf(context, vault, undefined)),
  );
  const full = saturated.figures[0]?.opsPerSecond ?? Number.NaN;
  const half = await compare(
    context,
    vaults.map((vault) => createsOf(context, vault, full / 2)),
  );
  return {
    outcomes: [ELSEWHERE, HERE].flatMap((name) => outcomesOf(name, { saturated, half })),
    figures: [...saturated.figures, ...half.figures],
    notes: [
      `Saturation: ${CONNECTIONS} connections; half load: ${(full / 2).toFixed(0)} creates/s, evenly. An awareness service elsewhere is an answer that stores nothing; one on the same cores has no subscription. Each slot begins when the last one's events are gone. CPU of the service is the vault's; that of an awareness service here is in none of the columns.`,
    ],
  };
}

function outcomesOf(
  name: string,
  { saturated, half }: { readonly saturated: Comparison; readonly half: Comparison },
): readonly Outcome[] {
  return [
    {
      name: `creates at saturation, ${name} / off`,
      measured: saturated.ratio("opsPerSecond", name, OFF),
      bar: 0.75,
      atMost: false,
    },
    {
      name: `p50 of a create at half load, ${name} / off`,
      measured: half.ratio("p50Ms", name, OFF),
      bar: 1.1,
      atMost: true,
    },
  ];
}

/** A vault whose creates are prepared under its name. */
interface Told {
  readonly name: string;
  readonly pid: number;
  readonly untilHandedOver: () => Promise<void>;
}

async function startTold(
  { server, load }: BenchContext,
  {
    stack,
    name,
    port,
  }: { readonly stack: AsyncDisposableStack; readonly name: string; readonly port: number | undefined },
): Promise<Told> {
  const database = stack.use(await server.createDatabase("vault"));
  await makeTables(database);
  const awareness = port === undefined ? null : { url: `http://127.0.0.1:${port}`, secret: INGEST_SECRET };
  const vault = stack.use(await startVault(database.url, { awareness }));
  const owners = await createOwners(database, OWNERS);
  const requests = Array.from({ length: 1_000 }, (_, number) =>
    toHttp(createRequest(owners[number % OWNERS] as EName, sampleInput(number))),
  );
  await load.prepare({ name, port: vault.port, requests });
  const waiting = async () =>
    (await one<{ waiting: boolean }>(database, "select exists (select from change_event) as waiting")).waiting;
  return {
    name,
    pid: vault.pid,
    untilHandedOver: async () => {
      while (port !== undefined && (await waiting())) await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
    },
  };
}

function createsOf({ load, sizes }: BenchContext, vault: Told, perSecond: number | undefined): Variant {
  const steady = perSecond === undefined ? {} : { perSecond };
  const run = { name: vault.name, connections: CONNECTIONS, durationMs: sizes.slotMs, ...steady };
  return { name: vault.name, servicePid: vault.pid, prepare: vault.untilHandedOver, run: () => load.run(run) };
}
