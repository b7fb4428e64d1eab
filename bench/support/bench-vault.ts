import { randomUUID } from "node:crypto";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { createVault } from "@dataspace/vault/store/vault-rows";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { MetaEnvelopeInput } from "@dataspace/vault/meta-envelopes/meta-envelope-input";
import type { BenchDatabase } from "./bench-server.ts";
import { startChild } from "./child.ts";
import type { VaultRequest } from "./graphql-requests.ts";
import type { LoadResult } from "./load-process.ts";

/**
 * How a vault process is started. `compileFrom` null: documents are never compiled; `awareness` null: no events are
 * sent.
 */
export interface VaultStart extends Announcing {
  readonly databaseUrl: string;
  readonly poolSize: number;
  readonly compileFrom: number | null;
}

/** The receiver of events; null: none. */
export interface Announcing {
  readonly awareness: { readonly url: string; readonly secret: string } | null;
}

/** A run of the create operation inside the vault's process, without HTTP and GraphQL. */
export interface DirectRun {
  readonly owners: readonly EName[];
  readonly inputs: readonly MetaEnvelopeInput[];
  readonly concurrency: number;
  readonly durationMs: number;
}

/** What is asked of a vault by whom its request says. */
export type Asked = Pick<VaultRequest, "query" | "bearer"> & { readonly variables?: object };

/** A vault in a process of its own. */
export interface BenchVault extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** Statements and transactions sent to the database since the start. */
  readonly counts: () => Promise<{ readonly statements: number; readonly transactions: number }>;
  readonly createDirectly: (run: DirectRun) => Promise<LoadResult>;
  /** Sends a GraphQL document for an owner. Out: `data`. Refuses: an Error for any answer with errors. */
  readonly ask: <Data>(owner: EName, request: Asked) => Promise<Data>;
}

/** As the vault service has it. */
export const POOL_SIZE = 12;
const COMPILE_FROM = 3;

const MIGRATIONS = new URL("./migrations/", import.meta.resolve("@dataspace/vault/store/change-statement"));

/** Starts a vault on a database whose tables are there. */
export async function startVault(
  databaseUrl: string,
  { compileFrom = COMPILE_FROM, awareness = null }: Partial<Pick<VaultStart, "compileFrom" | "awareness">> = {},
): Promise<BenchVault> {
  const child = startChild("vault-child.ts");
  const start: VaultStart = { databaseUrl, poolSize: POOL_SIZE, compileFrom, awareness };
  const { port } = await child.ask<{ readonly port: number }>("start", start);
  return {
    pid: child.pid,
    port,
    counts: () => child.ask("counts"),
    createDirectly: (run) => child.ask("createDirectly", run),
    ask: (owner, request) => ask(port, owner, request),
    [Symbol.asyncDispose]: () => child[Symbol.asyncDispose](),
  };
}

/** Makes the vault's tables, without the search index, which `addSearchIndex` adds. */
export async function makeTables(database: BenchDatabase): Promise<void> {
  await migrate(database, { service: "vault", directory: MIGRATIONS });
  await database.query({ text: "drop index if exists meta_envelope_search", values: [] });
}

/** Adds the search index as the vault's optional migration has it. Refuses: when the server lacks the extensions. */
export async function addSearchIndex(database: BenchDatabase): Promise<void> {
  await database.query({
    text: "delete from schema_migration where service = 'vault' and name like '%search-index%'",
    values: [],
  });
  const { applied } = await migrate(database, { service: "vault", directory: MIGRATIONS });
  if (applied.length !== 1)
    throw new Error("the search index could not be made; the server lacks pg_trgm or btree_gin");
}

/** Makes vaults for so many new owners. */
export async function createOwners(database: Database, count: number): Promise<readonly EName[]> {
  const owners = Array.from({ length: count }, () => parseEName(randomUUID()));
  const at = new Date().toISOString();
  await database.transaction(async (transaction) => {
    for (const owner of owners) await createVault(transaction, { owner, vaultId: owner, publicKey: undefined, at });
  });
  return owners;
}

async function ask<Data>(port: number, owner: EName, { bearer, ...request }: Asked): Promise<Data> {
  const authorization = bearer === undefined ? {} : { authorization: `Bearer ${bearer}` };
  const response = await fetch(`http://127.0.0.1:${port}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": owner, ...authorization },
    body: JSON.stringify(request),
  });
  const text = await response.text();
  if (response.status !== 200 || text.includes('"errors":[{'))
    throw new Error(`${response.status} ${text.slice(0, 500)}`);
  return (JSON.parse(text) as { data: Data }).data;
}
