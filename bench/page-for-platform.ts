import { DOMAIN_BY_ONTOLOGY } from "@dataspace/protocol/ontology-domain";
import { DEFAULT_OWNER_TERMS } from "@dataspace/protocol/owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { BenchDatabase } from "./support/bench-server.ts";
import { createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { pageRequest, toHttp } from "./support/graphql-requests.ts";
import { loadRecords } from "./support/load-records.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { platformBearer } from "./support/people.ts";

const PAGE = 50;
const SESSION = "dss_of-the-bench";
const UNDER_POLICY = "a session's page, under an owner's policy";
const WITHOUT_POLICY = "a session's page, without an owner's policy";
const LEGACY = "a legacy platform token's page";
const OWNER = "the owner's page";

/** Reads pages of 50 as a platform with an evidence session: of an owner who has signed an access policy, and of one who has not. */
export async function benchPageForPlatform(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("platform");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const [careful, other] = (await createOwners(database, 2)) as [EName, EName];
  const count = context.sizes.sharedRecords;
  for (const owner of [careful, other]) await loadRecords({ database, vault }, { owner, count });
  await signPolicy(database, careful);
  const page = (owner: EName, bearer?: string) => ({
    ...pageRequest(owner, { first: PAGE }),
    ...(bearer === undefined ? {} : { bearer }),
  });
  const requests = {
    [UNDER_POLICY]: page(careful, SESSION),
    [WITHOUT_POLICY]: page(other, SESSION),
    [LEGACY]: page(other, platformBearer()),
    [OWNER]: page(other),
  };
  const variants = [];
  for (const [name, request] of Object.entries(requests)) {
    const shown = await vault.ask<{ metaEnvelopes: { edges: readonly unknown[] } }>(request.owner, request);
    if (shown.metaEnvelopes.edges.length !== PAGE) throw new Error(`${name} shows ${shown.metaEnvelopes.edges.length}`);
    await context.load.prepare({ name, port: vault.port, requests: [toHttp(request)] });
    const window = { name, connections: 1, durationMs: context.sizes.windowMs / 2 };
    variants.push({ name, servicePid: vault.pid, run: () => context.load.run(window) });
  }
  const comparison = await compare(context, variants);
  return {
    outcomes: [
      {
        name: `${UNDER_POLICY} / without one`,
        measured: comparison.ratio("p50Ms", UNDER_POLICY, WITHOUT_POLICY),
        bar: 1.2,
        atMost: true,
      },
    ],
    figures: comparison.figures,
    notes: [
      `Owners of ${count} MetaEnvelopes of two ontologies, all of which the platform may see; pages of ${PAGE}, forward from the oldest, one connection, median latency. The session is found in memory; the owner's policy is read from the database at each request.`,
    ],
  };
}

/** Puts a policy into force that admits all that is loaded. */
async function signPolicy(database: BenchDatabase, owner: EName): Promise<void> {
  const issuedAt = "2026-01-01T00:00:00.000Z";
  const fixed = { type: "ds.vault.access-policy", schemaVersion: 1, subject: owner, issuedAt, nonce: "bench" };
  const allowedDomains = [...new Set(DOMAIN_BY_ONTOLOGY.values())];
  const statement = { ...DEFAULT_OWNER_TERMS, ...fixed, allowedDomains, deniedDomains: ["health", "insurance"] };
  const policy = JSON.stringify({ statement, payload: "", signature: "", signer: owner });
  await database.query({
    text: "insert into owner_policy (owner, issued_at, record_id, policy) values ($1, $2, 'bench', $3)",
    values: [owner, issuedAt, policy],
  });
}
