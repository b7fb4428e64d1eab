import type { EName } from "@dataspace/protocol/ename";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { createRequest, historyRequest, toHttp, updateRequest, type VaultRequest } from "./support/graphql-requests.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";

const PAGE = 20;
const [FEW_VERSIONS, MANY_VERSIONS] = [25, 10_000];

const OF_FEW = `first page of ${PAGE}, ${FEW_VERSIONS} versions`;
const OF_MANY = `first page of ${PAGE}, ${MANY_VERSIONS} versions`;
const MIDDLE = `page of ${PAGE} after the middle, ${MANY_VERSIONS} versions`;

/** Reads pages of the history of a MetaEnvelope of few versions and of one of many, which must cost the same. */
export async function benchHistory(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("history");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const [owner] = (await createOwners(database, 1)) as [EName];
  const few = await makeHistory({ database, vault, owner }, FEW_VERSIONS);
  const many = await makeHistory({ database, vault, owner }, MANY_VERSIONS);
  await database.query({ text: "vacuum analyze", values: [] });
  const first = (id: string) => historyRequest(owner, { id, first: PAGE });
  const middle = await middleCursor(vault, owner, many);
  const requests = {
    [OF_FEW]: first(few),
    [OF_MANY]: first(many),
    [MIDDLE]: historyRequest(owner, { id: many, first: PAGE, after: middle }),
  };
  const comparison = await comparePages(context, vault, requests);
  const promise = { bar: 1.2, atMost: true };
  return {
    outcomes: [
      {
        ...promise,
        name: "first page of a long history / of a short",
        measured: comparison.ratio("p50Ms", OF_MANY, OF_FEW),
      },
      { ...promise, name: "middle of a long history / a short", measured: comparison.ratio("p50Ms", MIDDLE, OF_FEW) },
    ],
    figures: comparison.figures,
    notes: [`Every page has ${PAGE} versions with their payloads. One connection, median latency.`],
  };
}

async function comparePages(
  context: BenchContext,
  vault: BenchVault,
  requests: Readonly<Record<string, VaultRequest>>,
) {
  const { load, sizes } = context;
  const variants = [];
  for (const [name, request] of Object.entries(requests)) {
    await assertWhole(vault, request);
    await load.prepare({ name, port: vault.port, requests: [toHttp(request)] });
    const window = { name, connections: 1, durationMs: sizes.windowMs / 2 };
    variants.push({ name, servicePid: vault.pid, run: () => load.run(window) });
  }
  return compare(context, variants);
}

interface Histories {
  readonly database: Database;
  readonly vault: BenchVault;
  readonly owner: EName;
}

const MORE_VERSIONS = `with more as (
  insert into change (owner, record_id, version, log_id, operation, ontology, payload, envelope_hash, credential, at)
  select c.owner, c.record_id, number, gen_random_uuid(), 'update', c.ontology, c.payload, c.envelope_hash, c.credential, c.at
    from change c cross join generate_series(2, $3::int) as number where c.owner = $1 and c.record_id = $2 and c.version = 1)
update meta_envelope set version = $3::int where owner = $1 and id = $2`;

/** Creates and updates one MetaEnvelope through the API; the versions between are filled in by SQL. Out: its id. */
async function makeHistory({ database, vault, owner }: Histories, versions: number): Promise<string> {
  type Created = { createMetaEnvelope: { metaEnvelope: { id: string } } };
  const { id } = (await vault.ask<Created>(owner, createRequest(owner, sampleInput(versions)))).createMetaEnvelope
    .metaEnvelope;
  await database.query({ text: MORE_VERSIONS, values: [owner, id, versions - 1] });
  await vault.ask(owner, updateRequest(owner, id, sampleInput(versions)));
  return id;
}

type Page = { metaEnvelopeHistory: { edges: readonly { cursor: string; node: { version: number } }[] } };

async function assertWhole(vault: BenchVault, request: VaultRequest): Promise<void> {
  const { edges } = (await vault.ask<Page>(request.owner, request)).metaEnvelopeHistory;
  const newest = edges[0]?.node.version ?? 0;
  if (edges.length !== PAGE || edges.some(({ node }, index) => node.version !== newest - index))
    throw new Error("a page of the history is not whole");
}

/** Reached as a client does: page by page. */
async function middleCursor(vault: BenchVault, owner: EName, id: string): Promise<string> {
  let after: string | null = null;
  for (let version = MANY_VERSIONS; version > MANY_VERSIONS / 2; ) {
    const page: Page = await vault.ask<Page>(owner, historyRequest(owner, { id, first: 100, after }));
    const last = page.metaEnvelopeHistory.edges.at(-1);
    if (last === undefined) throw new Error("the history ends before its middle");
    after = last.cursor;
    version = last.node.version;
  }
  return after as string;
}
