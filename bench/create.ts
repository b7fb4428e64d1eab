import { payloadToSearchText } from "@dataspace/vault/meta-envelopes/search-text";
import { createVault } from "@dataspace/vault/store/vault-rows";
import type { EName } from "@dataspace/protocol/ename";
import type { Payload } from "@dataspace/vault/meta-envelopes/payload";
import type { BenchDatabase } from "./support/bench-server.ts";
import { type BenchVault, createOwners, makeTables, POOL_SIZE, startVault } from "./support/bench-vault.ts";
import { type Comparison, compare, type Variant } from "./support/compare.ts";
import { createRequest, toHttp } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { findPgbench, pgbenchOwners, preparePgbench } from "./support/pgbench.ts";
import { sampleInput, sampleInputs } from "./support/sample-records.ts";

const OWNERS = 100;
const HTTP_CONNECTIONS = 32;
const PGBENCH_CLIENTS = 8;
const COUNTED_CREATES = 50;

const HTTP = `create over HTTP, ${HTTP_CONNECTIONS} connections`;
const OPERATION = `create operation in the vault's process, ${HTTP_CONNECTIONS} at a time`;
const PGBENCH = `pgbench, same statement, ${PGBENCH_CLIENTS} clients`;

/**
 * Creates end to end beside pgbench with the same statement, and beside the create operation without HTTP and GraphQL, which
 * shows where the rest goes. Without the search index, which would make the database's share larger.
 */
export async function benchCreate(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("create");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const owners = await createOwners(database, OWNERS);
  const statements = await countStatements(vault, owners[0] as EName);
  const pgbench = await pgbenchVariant(context, database);
  const comparison = await compare(context, [
    ...(await vaultVariants(context, vault, owners)),
    ...(pgbench ? [pgbench] : []),
  ]);
  return {
    outcomes: [
      ...(pgbench
        ? [
            {
              name: "create end to end / pgbench",
              measured: comparison.ratio("opsPerSecond", HTTP, PGBENCH),
              bar: 0.55,
              atMost: false,
            },
          ]
        : []),
      { name: "statements per create", measured: statements, bar: 1, atMost: true },
    ],
    figures: comparison.figures,
    notes: [
      `One vault process, driver pg with named statements, pool of ${POOL_SIZE}; ${OWNERS} owners at random; payload of 6 fields and about 250 bytes; the answer carries id, ontology and payload.`,
      ...(pgbench ? [whereTheRestGoes(comparison)] : ["pgbench is not on this machine, so its ratio is left out."]),
      `A durable write took ${comparison.fsyncUs.toFixed(0)} us.`,
    ],
  };
}

async function vaultVariants(
  { load, sizes }: BenchContext,
  vault: BenchVault,
  owners: readonly EName[],
): Promise<readonly Variant[]> {
  const requests = Array.from({ length: 1_000 }, (_, number) =>
    toHttp(createRequest(owners[number % OWNERS] as EName, sampleInput(number))),
  );
  await load.prepare({ name: "create", port: vault.port, requests });
  const durationMs = sizes.windowMs;
  const direct = { owners, inputs: sampleInputs(1_000), concurrency: HTTP_CONNECTIONS, durationMs };
  return [
    {
      name: HTTP,
      servicePid: vault.pid,
      run: () => load.run({ name: "create", connections: HTTP_CONNECTIONS, durationMs }),
    },
    { name: OPERATION, servicePid: vault.pid, run: () => vault.createDirectly(direct) },
  ];
}

async function pgbenchVariant({ server, sizes }: BenchContext, database: BenchDatabase): Promise<Variant | undefined> {
  const program = findPgbench(process.env["PATH"] ?? "");
  if (program === undefined) return undefined;
  const owners = pgbenchOwners(OWNERS) as readonly EName[];
  const at = new Date().toISOString();
  for (const owner of owners) await createVault(database, { owner, vaultId: owner, publicKey: undefined, at });
  const { ontology, payload } = sampleInput(7);
  const texts = { payloadText: JSON.stringify(payload), searchText: payloadToSearchText(payload as Payload) };
  const pgbench = preparePgbench(program, {
    databaseUrl: database.url,
    directory: server.directory,
    owners,
    ontology,
    ...texts,
  });
  return {
    name: PGBENCH,
    run: () => pgbench.run({ clients: PGBENCH_CLIENTS, durationMs: Math.max(2_000, sizes.windowMs) }),
  };
}

async function countStatements(vault: BenchVault, owner: EName): Promise<number> {
  await vault.ask(owner, createRequest(owner, sampleInput(0)));
  const before = await vault.counts();
  for (let number = 0; number < COUNTED_CREATES; number += 1)
    await vault.ask(owner, createRequest(owner, sampleInput(number)));
  const after = await vault.counts();
  if (after.transactions > before.transactions) throw new Error("a create opened a transaction of several statements");
  return (after.statements - before.statements) / COUNTED_CREATES;
}

function whereTheRestGoes({ ratio, figures }: Comparison): string {
  const [http, operation] = figures;
  const us = (value: number | undefined) => `${(value ?? Number.NaN).toFixed(0)} us`;
  return `Where the rest goes: the operation alone (driver, checks, hash, ids) reaches ${ratio("opsPerSecond", OPERATION, PGBENCH).toFixed(2)} of pgbench, end to end ${ratio("opsPerSecond", HTTP, PGBENCH).toFixed(2)}. Per create the vault's process uses ${us(http?.serviceCpuUs)} of CPU, ${us(operation?.serviceCpuUs)} of it without HTTP and GraphQL; the load process beside it uses ${us(http?.loadCpuUs)}.`;
}
