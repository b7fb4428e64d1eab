import type { EName } from "@dataspace/protocol/ename";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { bulkRequest, createRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { platformBearer } from "./support/people.ts";
import { sampleInputs } from "./support/sample-records.ts";

const OWNERS = 10;
const ITEMS = 1_000;
const SINGLE_CONNECTIONS = 32;
const BULK_CONNECTIONS = 4;

const SINGLE = `create one by one, ${SINGLE_CONNECTIONS} connections`;
const BULK = `records of bulks of ${ITEMS}, ${BULK_CONNECTIONS} connections`;

/** Creates the same records one by one and a thousand in a request; what counts is records. */
export async function benchBulkCreate(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("bulk");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const owners = await createOwners(database, OWNERS);
  await prepareCreates(context, vault, owners);
  const { load, sizes } = context;
  const durationMs = sizes.windowMs;
  const comparison = await compare(context, [
    {
      name: SINGLE,
      servicePid: vault.pid,
      run: () => load.run({ name: SINGLE, connections: SINGLE_CONNECTIONS, durationMs }),
    },
    {
      name: BULK,
      servicePid: vault.pid,
      run: async () => {
        const bulks = await load.run({ name: BULK, connections: BULK_CONNECTIONS, durationMs });
        return { ...bulks, operations: bulks.operations * ITEMS };
      },
    },
  ]);
  return {
    outcomes: [
      {
        name: "records by bulk / created one by one",
        measured: comparison.ratio("opsPerSecond", BULK, SINGLE),
        bar: 3,
        atMost: false,
      },
    ],
    figures: comparison.figures,
    notes: [
      `${OWNERS} owners. Latencies of bulks are of whole requests. A bulk carries a platform token, whose signature is not checked here; creates one by one carry none.`,
    ],
  };
}

async function prepareCreates({ load }: BenchContext, vault: BenchVault, owners: readonly EName[]): Promise<void> {
  const inputs = sampleInputs(ITEMS);
  const bearer = platformBearer();
  const bulks = owners.map((owner) => bulkRequest(owner, inputs, bearer));
  type Created = { bulkCreateMetaEnvelopes: { successCount: number } };
  for (const bulk of bulks) {
    const { bulkCreateMetaEnvelopes } = await vault.ask<Created>(bulk.owner, bulk);
    if (bulkCreateMetaEnvelopes.successCount !== ITEMS) throw new Error("a bulk was not created whole");
  }
  await load.prepare({ name: BULK, port: vault.port, requests: bulks.map(toHttp) });
  const singles = inputs.map((input, number) => createRequest(owners[number % OWNERS] as EName, input));
  await load.prepare({ name: SINGLE, port: vault.port, requests: singles.map(toHttp) });
}
