import type { EName } from "@dataspace/protocol/ename";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { type Comparison, compare } from "./support/compare.ts";
import { createRequest, readRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { grantingPolicy, pairsOf } from "./support/sample-policies.ts";
import { sampleInput } from "./support/sample-records.ts";

const RECORDS = 1_000;
const FEW_CONNECTIONS = 1;
const MANY_CONNECTIONS = 32;

/** Reads MetaEnvelopes with a policy by id, beside ones without, as the owner, alone and with many reads at a time. */
export async function benchReadWithPolicy(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("read_policy");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const [owner, ...readers] = (await createOwners(database, 7)) as [EName, ...EName[]];
  const policies = pairsOf(readers).map((pair) => grantingPolicy(owner, pair));
  const sets = {
    "read by id": await createRecords(vault, owner, () => ({})),
    "read by id of a record with _acl": await createRecords(vault, owner, (number) => ({
      _acl: policies[number % policies.length],
    })),
  };
  await database.query({ text: "vacuum analyze", values: [] });
  for (const [name, ids] of Object.entries(sets))
    await context.load.prepare({
      name,
      port: vault.port,
      requests: ids.map((id) => toHttp(readRequest(owner, id))),
    });
  const comparisons = [
    await compareReads(context, vault, FEW_CONNECTIONS),
    await compareReads(context, vault, MANY_CONNECTIONS),
  ];
  return {
    outcomes: [],
    figures: comparisons.flatMap(({ figures }) => figures),
    notes: [
      `Policies of 3 grants, ${policies.length} different ones. A read with _acl takes ${comparisons.map(inWords).join("; ")}. What it needs on top is who of the policy's eNames is a group with the caller in it, in one statement more.`,
    ],
  };
}

async function compareReads(
  context: BenchContext,
  vault: BenchVault,
  connections: number,
): Promise<Comparison & { readonly connections: number }> {
  const { load, sizes } = context;
  const variants = ["read by id", "read by id of a record with _acl"].map((set) => ({
    name: `${set}, ${connections} connection${connections === 1 ? "" : "s"}`,
    servicePid: vault.pid,
    run: () => load.run({ name: set, connections, durationMs: sizes.windowMs }),
  }));
  return { ...(await compare(context, variants)), connections };
}

function inWords({ ratio, figures, connections }: Comparison & { readonly connections: number }): string {
  const [plain = "", restricted = ""] = figures.map(({ name }) => name);
  return `${ratio("p50Ms", restricted, plain).toFixed(2)} of the time and ${ratio("serviceCpuUs", restricted, plain).toFixed(2)} of the vault's CPU over ${connections} at a time`;
}

async function createRecords(
  vault: BenchVault,
  owner: EName,
  accessOf: (number: number) => object,
): Promise<readonly string[]> {
  const ids: string[] = [];
  for (let number = 0; number < RECORDS; number += 1) {
    type Created = { createMetaEnvelope: { metaEnvelope: { id: string } } };
    const request = createRequest(owner, { ...sampleInput(number), ...accessOf(number) });
    ids.push((await vault.ask<Created>(owner, request)).createMetaEnvelope.metaEnvelope.id);
  }
  return ids;
}
