import type { EName } from "@dataspace/protocol/ename";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { grantingPolicy, pairsOf } from "./support/sample-policies.ts";
import { sampleInput } from "./support/sample-records.ts";

const OWNERS = 100;
const HTTP_CONNECTIONS = 32;
/** Slots are shorter and more of them, so that what slows the machine for a second meets both. */
const FINER = 4;

const PLAIN = `create, ${HTTP_CONNECTIONS} connections`;
const RESTRICTED = `create with _acl, ${HTTP_CONNECTIONS} connections`;

/** Creates with a policy beside creates without one: the same payloads, the same owners, one vault, one database. */
export async function benchCreateWithPolicy(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("policy");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const owners = await createOwners(database, OWNERS);
  await prepareCreates(context, vault, owners);
  const { load, sizes } = context;
  const finer = { ...sizes, windowMs: sizes.windowMs / FINER, rounds: sizes.rounds * FINER };
  const window = { connections: HTTP_CONNECTIONS, durationMs: finer.windowMs };
  const comparison = await compare({ ...context, sizes: finer }, [
    { name: PLAIN, servicePid: vault.pid, run: () => load.run({ name: PLAIN, ...window }) },
    { name: RESTRICTED, servicePid: vault.pid, run: () => load.run({ name: RESTRICTED, ...window }) },
  ]);
  return {
    outcomes: [
      {
        name: "create with _acl / without",
        measured: comparison.ratio("opsPerSecond", RESTRICTED, PLAIN),
        bar: 0.9,
        atMost: false,
      },
    ],
    figures: comparison.figures,
    notes: [
      `Policies of 3 grants, 6 different ones for each of ${OWNERS} owners. By CPU of the vault a create with _acl takes ${comparison.ratio("serviceCpuUs", RESTRICTED, PLAIN).toFixed(2)} of one without.`,
    ],
  };
}

async function prepareCreates({ load }: BenchContext, vault: BenchVault, owners: readonly EName[]): Promise<void> {
  const inputs = Array.from({ length: 1_000 }, (_, number) => {
    const owner = owners[number % OWNERS] as EName;
    const readers = [1, 2, 3, 4].map((next) => owners[(number + next) % OWNERS] as EName);
    const pairs = pairsOf(readers);
    const pair = pairs[Math.floor(number / OWNERS) % pairs.length] as readonly EName[];
    return { owner, input: sampleInput(number), policy: grantingPolicy(owner, pair) };
  });
  const plain = inputs.map(({ owner, input }) => toHttp(createRequest(owner, input)));
  const restricted = inputs.map(({ owner, input, policy }) => toHttp(createRequest(owner, { ...input, _acl: policy })));
  await load.prepare({ name: PLAIN, port: vault.port, requests: plain });
  await load.prepare({ name: RESTRICTED, port: vault.port, requests: restricted });
}
