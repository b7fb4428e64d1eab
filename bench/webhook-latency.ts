import type { EName } from "@dataspace/protocol/ename";
import { INGEST_SECRET, startAwareness, subscribe } from "./support/bench-awareness.ts";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { assertInOrder, startFarEnd } from "./support/far-end.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";

const OWNERS = 100;
const SUBSCRIPTIONS = 2;
const PER_SECOND = 200;
const CONNECTIONS = 16;
/** Slots are longer, for a p99 of many. */
const LONGER = 5;
const LAST_ONES_MS = 500;

const STEADY = `${PER_SECOND} creates/s, ${SUBSCRIPTIONS} subscriptions`;

/** How long a change takes from the vault, through the awareness service, to each of two receivers, at a steady rate. */
export async function benchWebhookLatency(context: BenchContext): Promise<BenchReport> {
  const { server, load, sizes } = context;
  await using farEnd = await startFarEnd();
  await using events = await server.createDatabase("awareness");
  await using awareness = await startAwareness(events);
  for (let place = 0; place < SUBSCRIPTIONS; place += 1) {
    await subscribe(awareness, `http://127.0.0.1:${farEnd.receiverPort}/${place}`);
  }
  await using database = await server.createDatabase("vault");
  await makeTables(database);
  const address = { url: `http://127.0.0.1:${awareness.port}`, secret: INGEST_SECRET };
  await using vault = await startVault(database.url, { awareness: address });
  const owners = await createOwners(database, OWNERS);
  const requests = Array.from({ length: 1_000 }, (_, number) =>
    toHttp(createRequest(owners[number % OWNERS] as EName, { ...sampleInput(number), acl: ["*"] })),
  );
  await load.prepare({ name: STEADY, port: vault.port, requests });
  const durationMs = LONGER * sizes.windowMs;
  const run = async () => {
    const taking = farEnd.take(durationMs + LAST_ONES_MS);
    await load.run({ name: STEADY, connections: CONNECTIONS, perSecond: PER_SECOND, durationMs });
    return await taking;
  };
  const { figures } = await compare(context, [{ name: STEADY, servicePid: awareness.pid, run }]);
  const { received } = await assertInOrder(farEnd);
  const [steady] = figures;
  return {
    outcomes: [
      { name: "change to receiver, p50", measured: steady?.p50Ms ?? Number.NaN, bar: 25, atMost: true, unit: " ms" },
      { name: "change to receiver, p99", measured: steady?.p99Ms ?? Number.NaN, bar: 150, atMost: true, unit: " ms" },
    ],
    figures,
    notes: [
      `${received} webhooks. A latency is from the event's occurredAt, which is before the commit, to its receipt. Vault, awareness service, PostgreSQL with a database for each, receivers and load share the cores. CPU is per webhook; the service is the awareness service.`,
    ],
  };
}
