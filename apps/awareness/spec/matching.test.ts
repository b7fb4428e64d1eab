import assert from "node:assert/strict";
import { randomUUID } from "node:crypto";
import { test } from "node:test";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { listMatches } from "../src/store/subscription-matches.ts";
import { eventIdOf, makeEvent } from "./support/events.ts";
import { startAwareness, type TestAwareness } from "./support/start-awareness.ts";
import { type MatchedSubscription, subscriptionMatches } from "./support/subscription-matches.ts";

const SEED = Number(process.env["DS_MATCHING_SEED"] ?? 1);
const vault = (number: number): string => `@00000000-0000-4000-8000-${String(number).padStart(12, "0")}`;
const VAULTS = [1, 2, 3, 4].map(vault);
const ONTOLOGIES = ["note", "poll", "", "{}", "a,b", "ü"];
const PLATFORMS = [null, "blabsy", "https://a.test/x", VAULTS[0]!];
const TARGETS = ["https://a.test/hook", "https://b.test/hook"];

test(`an event is queued for exactly the subscriptions that the rule admits, through 60 random changes of 120 subscriptions, from seed ${SEED} [decision E9] [decision E10]`, async (t) => {
  const random = createSeededRandom(SEED);
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const some = <T>(from: readonly T[]): readonly T[] => (random() < 0.4 ? [] : from.filter(() => random() < 0.4));
  const { database, ingest } = await startAwareness(t);
  const draw = (): Omit<MatchedSubscription, "consumer" | "id"> => ({
    active: random() < 0.8,
    removed: random() < 0.1,
    targetUrl: pick(TARGETS),
    ontologyFilter: some(ONTOLOGIES),
    vaultFilter: some(VAULTS),
  });
  const consumers = await addConsumers(database);
  const known = new Map<string, MatchedSubscription>();
  for (let change = 0; change < 120 + 60; change += 1) {
    const old = change < 120 ? undefined : pick([...known.values()]);
    const one = { id: old?.id ?? randomUUID(), consumer: old?.consumer ?? pick(consumers), ...draw() };
    await store(database, one);
    known.set(one.id, one);
    if (change % 10 !== 9) continue;
    const events = Array.from({ length: 8 }, () => ({
      dsid: pick(VAULTS),
      schemaId: pick(ONTOLOGIES.filter((text) => text !== "")),
      requestingPlatform: pick(PLATFORMS),
    }));
    const sent = events.map((event) => makeEvent(event));
    assert.equal((await ingest(sent)).status, 200);
    const expected = events.flatMap((event, place) =>
      [...known.values()]
        .filter((it) => subscriptionMatches(it, event))
        .map((it) => `${eventIdOf(sent[place]!)} ${it.id}`),
    );
    assert.deepEqual(
      (await queuedFor(database, sent.map(eventIdOf))).toSorted(),
      expected.toSorted(),
      `change ${change}`,
    );
  }
});

test("the rows that matching reads follow the matches, however many other subscriptions and filter entries there are [decision V25]", async (t) => {
  const awareness = await startAwareness(t);
  const [consumer] = await addConsumers(awareness.database);
  const common = { consumer: consumer!, active: true, removed: false, targetUrl: TARGETS[0]!, ontologyFilter: [] };
  const manyVaults = Array.from({ length: 1_000 }, (_, number) => vault(1_000_000 + number));
  for (let count = 0; count < 3; count += 1) {
    await store(awareness.database, { ...common, id: randomUUID(), vaultFilter: [...manyVaults, VAULTS[0]!] });
  }
  await store(awareness.database, { ...common, id: randomUUID(), ontologyFilter: ["poll"], vaultFilter: [] });
  const events = Array.from({ length: 10 }, () => ({ dsid: VAULTS[0]!, schemaId: "poll" }));
  const before = await rowsRead(awareness, events);
  await awareness.database.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, created_at)
           select gen_random_uuid(), $1, 'https://b.test/', array['other-' || n],
                  case when n % 2 = 0 then array['@vault-' || n] else '{}' end, now() from generate_series(1, 4000) n`,
    values: [consumer!.id],
  });
  for (const statement of ["analyze subscription", "analyze subscription_filter"]) {
    await awareness.database.query({ text: statement, values: [] });
  }
  assert.equal((await listMatches(awareness.database, events)).length, 4);
  const after = await rowsRead(awareness, events);
  assert.ok(after <= before + 50 && after < 500, `${before} rows read before, ${after} after`);
});

async function addConsumers(on: Queryable): Promise<readonly (MatchedSubscription["consumer"] & { id: string })[]> {
  const given = [
    { ename: VAULTS[0]!, platform: null },
    { ename: null, platform: "blabsy" },
    { ename: null, platform: null },
  ].map((one) => ({ id: randomUUID(), ...one }));
  for (const { id, ename, platform } of given) {
    const text = "insert into consumer (id, name, ename, platform, created_at) values ($1, 'c', $2, $3, now())";
    await on.query({ text, values: [id, ename, platform] });
  }
  return given as never;
}

async function store(on: Queryable, one: MatchedSubscription): Promise<void> {
  const { id, consumer, targetUrl, ontologyFilter, vaultFilter, active, removed } = one;
  await on.query({
    text: `insert into subscription (id, consumer_id, target_url, ontology_filter, vault_filter, active, removed, created_at)
           values ($1, $2, $3, $4, $5, $6, $7, now())
           on conflict (id) do update set target_url = $3, ontology_filter = $4, vault_filter = $5, active = $6, removed = $7`,
    values: [id, (consumer as { id?: string }).id, targetUrl, ontologyFilter, vaultFilter, active, removed],
  });
}

async function queuedFor(on: Queryable, eventIds: readonly string[]): Promise<readonly string[]> {
  const text = "select event_id, subscription_id from delivery where event_id = any ($1::uuid[])";
  const { rows } = await on.query<{ event_id: string; subscription_id: string }>({ text, values: [eventIds] });
  return rows.map(({ event_id, subscription_id }) => `${event_id} ${subscription_id}`);
}

/** Runs the statement of `listMatches` and adds up what each step of its plan read or threw away. */
async function rowsRead({ database }: TestAwareness, events: Parameters<typeof listMatches>[1]): Promise<number> {
  let total = 0;
  const explaining = {
    query: async ({ text, values }: Parameters<Queryable["query"]>[0]) => {
      const { rows } = await database.query<{ "QUERY PLAN": readonly [{ readonly Plan: PlanNode }] }>({
        text: `explain (analyze, format json) ${text}`,
        values,
      });
      total = addRows(rows[0]!["QUERY PLAN"][0].Plan);
      return { rows: [], rowCount: 0 };
    },
  };
  await listMatches(explaining as never, events);
  return total;
}

interface PlanNode {
  readonly "Actual Rows": number;
  readonly "Actual Loops": number;
  readonly "Rows Removed by Filter"?: number;
  readonly Plans?: readonly PlanNode[];
}

function addRows(node: PlanNode): number {
  const own = (node["Actual Rows"] + (node["Rows Removed by Filter"] ?? 0)) * node["Actual Loops"];
  return (node.Plans ?? []).reduce((sum, child) => sum + addRows(child), own);
}
