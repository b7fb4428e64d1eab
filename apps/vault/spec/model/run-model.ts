import assert from "node:assert/strict";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { TestVault } from "../support/start-vault.ts";
import type { OracleState } from "./oracle-state.ts";
import { canonicalPolicy } from "./oracle-writes.ts";
import { drawRequests, type RequestSketch } from "./sketch.ts";
import { type Failure, type Fleet, runStream, type StreamStart } from "./stream.ts";

/** A run: so many operations, drawn from a seed, by so many owners of whom some are served at the same time. */
export interface ModelRun {
  readonly seed: number;
  readonly operations: number;
  readonly fleet: Fleet;
  readonly vault: Pick<TestVault, "createOwner" | "database">;
}

const OPERATIONS_PER_OWNER = 500;
const OWNERS_AT_ONCE = 6;
/** About how many operations a drawn request holds; a stream draws that many requests fewer than it has operations. */
const OPERATIONS_PER_REQUEST = 2;
const SHRINK_MS = 40_000;

/**
 * Runs the model: every answer is held against the oracle, then the events that lie in the database.
 *
 * Out: how many operations ran. Fails with the shortest trace found that still goes wrong, and how to run it again.
 */
export async function runModel(run: ModelRun): Promise<{ readonly operations: number; readonly owners: number }> {
  let operations = 0;
  let owners = 0;
  async function serveOwners(): Promise<void> {
    while (owners * OPERATIONS_PER_OWNER < run.operations) {
      const seed = run.seed + owners++;
      const count = OPERATIONS_PER_OWNER / OPERATIONS_PER_REQUEST;
      const requests = drawRequests({ seed, count, policies: run.fleet.policies });
      const ran = await runOwner(run, requests);
      if (ran.failure !== undefined) throw await explain(run, { seed, requests, failure: ran.failure });
      operations += ran.operations;
    }
  }
  await Promise.all(Array.from({ length: OWNERS_AT_ONCE }, serveOwners));
  return { operations, owners };
}

async function runOwner(
  { vault, fleet }: ModelRun,
  requests: readonly RequestSketch[],
): Promise<{ readonly operations: number; readonly failure: Failure | undefined }> {
  const start = await castOwner(vault, fleet);
  const { operations, state, failure } = await runStream(start, requests);
  if (failure !== undefined) return { operations, failure };
  try {
    await assertEvents(vault.database, start, state);
    await assertVersions(vault.database, start, state);
  } catch (error) {
    return { operations, failure: { index: requests.length - 1, fault: (error as Error).message } };
  }
  return { operations, failure: undefined };
}

let foreignRecords = 0;

async function castOwner(vault: ModelRun["vault"], fleet: Fleet): Promise<StreamStart> {
  const keys = { owner: await createWalletKey(), listed: await createWalletKey(), stranger: await createWalletKey() };
  const [owner, listed, stranger] = await Promise.all(
    [keys.owner, keys.listed, keys.stranger].map((key: WalletKey) => vault.createOwner(key.publicKey)),
  );
  foreignRecords += 1;
  const cast = { owner: owner!, listed: listed!, stranger: stranger!, foreignId: `foreign-${foreignRecords}` };
  const { keys: _, ...rest } = { keys, fleet, cast };
  const neighbour = {
    ...rest,
    keys: { ...keys, owner: keys.listed },
    cast: { ...cast, owner: cast.listed, listed: cast.owner },
  };
  const input = {
    ontology: "note",
    payload: { a: "Alpha" },
    acl: ["*"] as const,
    policy: undefined,
    id: cast.foreignId,
  };
  const operation = { do: "bulk", inputs: [input], skipWebhooks: false } as const;
  const request = { role: "owner", server: 0, reusesToken: false, onBehalfOf: false, operations: [operation] } as const;
  const { failure } = await runStream(neighbour, [request]);
  assert.equal(failure, undefined);
  return { fleet, cast, keys };
}

/** One event for each version that was announced, with its body, its platform and the policy beside it; none other. */
async function assertEvents(database: Queryable, { cast, keys }: StreamStart, { events }: OracleState): Promise<void> {
  const { rows } = await database.query<{
    stream_id: string;
    stream_version: number;
    body: string;
    requesting_platform: string | null;
    policy: string;
  }>({
    text: "select stream_id, stream_version, body, requesting_platform, policy from change_event where owner = $1",
    values: [cast.owner],
  });
  const found = rows.map(({ body, policy, ...row }) => {
    const { eventId, occurredAt, ...fields } = JSON.parse(body);
    assert.match(eventId, /^[0-9a-f-]{36}$/);
    assert.match(occurredAt, /Z$/);
    assert.deepEqual([fields.id, fields.streamVersion], [row.stream_id, row.stream_version]);
    const { acl, _acl } = JSON.parse(policy);
    return { ...fields, requestingPlatform: row.requesting_platform, acl, _acl: _acl && canonicalPolicy(_acl) };
  });
  const wanted = events.map(({ policy: { acl, _acl }, ...event }) => ({
    ...event,
    dsid: cast.owner,
    vaultPublicKey: keys.owner.publicKey,
    acl,
    _acl: _acl && canonicalPolicy(_acl),
  }));
  assert.deepEqual(found.sort(byStream), wanted.sort(byStream));
}

const byStream = (a: { id: string; streamVersion: number }, b: { id: string; streamVersion: number }) =>
  a.id === b.id ? a.streamVersion - b.streamVersion : a.id < b.id ? -1 : 1;

/** Each record has its versions from 1 to n, and no write left anything else. */
async function assertVersions(database: Queryable, { cast }: StreamStart, { records }: OracleState): Promise<void> {
  const { rows } = await database.query<{ id: string; versions: number[] }>({
    text: `select m.id, array_agg(c.version order by c.version) as versions from meta_envelope m
      join change c on c.owner = m.owner and c.record_id = m.id where m.owner = $1 group by m.id`,
    values: [cast.owner],
  });
  const wanted = [...records.values()].map(({ id, versions }) => ({
    id,
    versions: versions.map(({ version }) => version),
  }));
  const order = (a: { id: string }, b: { id: string }) => (a.id < b.id ? -1 : 1);
  assert.deepEqual([...rows].sort(order), wanted.sort(order));
}

/** Cuts a failing run down to a short one that fails too, each try with an owner of its own. */
async function explain(
  run: ModelRun,
  failed: { readonly seed: number; readonly requests: readonly RequestSketch[]; readonly failure: Failure },
): Promise<Error> {
  let { failure } = failed;
  let trace = failed.requests.slice(0, failure.index + 1);
  const untilMs = Date.now() + SHRINK_MS;
  for (let size = Math.ceil(trace.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < trace.length && Date.now() < untilMs; ) {
      const shorter = trace.toSpliced(from, size);
      const again = await runOwner(run, shorter);
      if (again.failure === undefined) from += size;
      else [trace, failure] = [shorter.slice(0, again.failure.index + 1), again.failure];
    }
  }
  const lines = trace.map((request) => JSON.stringify(request));
  return new Error(
    `the vault and the model differ (DS_MODEL_SEED=${failed.seed}): ${failure.fault}\nafter these requests:\n${lines.join("\n")}`,
  );
}
