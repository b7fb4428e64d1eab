import type { EName } from "@dataspace/protocol/ename";
import { type BenchVault, createOwners, makeTables, startVault } from "./support/bench-vault.ts";
import { compare } from "./support/compare.ts";
import { pageRequest, toHttp, type VaultRequest } from "./support/graphql-requests.ts";
import { loadRecords } from "./support/load-records.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { createPerson, type Person } from "./support/people.ts";
import { type ShareShape, shareShapes } from "./support/share-shapes.ts";

const PAGE = 50;
const VISIBLE_SHARE = 0.01;

/**
 * Reads pages of a large vault for somebody who may see one in a hundred of its MetaEnvelopes, beside the owner's pages, which
 * are asked for with a wallet token as theirs are.
 */
export async function benchPageForOthers(context: BenchContext): Promise<BenchReport> {
  await using database = await context.server.createDatabase("others");
  await makeTables(database);
  await using vault = await startVault(database.url);
  const [owner, caller] = [await createPerson(database), await createPerson(database)];
  const strangers = await createOwners(database, 7);
  const reports: BenchReport[] = [];
  for (const shape of shareShapes({ owner: owner.ename, caller: caller.ename, strangers }, VISIBLE_SHARE)) {
    const count = context.sizes.sharedRecords;
    context.say(`loading ${count}, ${shape.name}`);
    await database.query({ text: "truncate meta_envelope, change, record_count", values: [] });
    await loadRecords({ database, vault }, { owner: owner.ename, count, accessOf: shape.accessOf(count) });
    reports.push(await measureShape(context, vault, { owner, caller, shape }));
  }
  return {
    outcomes: reports.flatMap(({ outcomes }) => outcomes),
    figures: reports.flatMap(({ figures }) => figures),
    notes: [
      `One owner of ${context.sizes.sharedRecords} MetaEnvelopes, one of whose ${1 / VISIBLE_SHARE} the caller may see; pages of ${PAGE}, forward from the oldest, one connection, median latency. Every request carries a wallet token, whose verification is part of it, except the owner's plain page, which is shown beside.`,
    ],
  };
}

interface Shelf {
  readonly owner: Person;
  readonly caller: Person;
  readonly shape: ShareShape;
}

async function measureShape(
  context: BenchContext,
  vault: BenchVault,
  { owner, caller, shape }: Shelf,
): Promise<BenchReport> {
  const { load, sizes } = context;
  const page = (bearer: string | undefined, counted = false): VaultRequest => ({
    ...pageRequest(owner.ename, { first: PAGE }, counted),
    ...(bearer === undefined ? {} : { bearer }),
  });
  const [ofCaller, ofOwner] = [await caller.tokenFor(owner.ename), await owner.tokenFor(owner.ename)];
  const requests = {
    "the caller's page": page(ofCaller),
    "the caller's page with totalCount": page(ofCaller, true),
    "the owner's page": page(ofOwner),
    "the owner's page without a token": page(undefined),
  };
  await assertShown(vault, owner.ename, requests["the caller's page with totalCount"]);
  const variants = [];
  for (const [what, request] of Object.entries(requests)) {
    const name = nameOf(what, shape);
    await load.prepare({ name, port: vault.port, requests: [toHttp(request)] });
    const window = { name, connections: 1, durationMs: sizes.windowMs / 2 };
    variants.push({ name, servicePid: vault.pid, run: () => load.run(window) });
  }
  const comparison = await compare(context, variants);
  const outcome = {
    name: `${nameOf("the caller's page", shape)} / the owner's page`,
    measured: comparison.ratio("p50Ms", nameOf("the caller's page", shape), nameOf("the owner's page", shape)),
    bar: 5,
    atMost: true,
  };
  return { outcomes: [outcome], figures: comparison.figures, notes: [] };
}

function nameOf(what: string, { name }: ShareShape): string {
  return `${what}, ${name}`;
}

/** Refuses: an Error when the caller is not shown what the shape says. */
async function assertShown(vault: BenchVault, owner: EName, request: VaultRequest): Promise<void> {
  type Shown = { metaEnvelopes: { edges: readonly unknown[]; totalCount: number } };
  const { edges, totalCount } = (await vault.ask<Shown>(owner, request)).metaEnvelopes;
  const { totalCount: whole } = (await vault.ask<Shown>(owner, { query: request.query, variables: request.variables }))
    .metaEnvelopes;
  const share = totalCount / whole;
  if (edges.length !== PAGE || Math.abs(share / VISIBLE_SHARE - 1) > 0.05)
    throw new Error(`the caller is shown ${edges.length} of ${totalCount} of ${whole}`);
}
