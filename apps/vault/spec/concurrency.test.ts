import assert from "node:assert/strict";
import { randomInt } from "node:crypto";
import { type TestContext, test } from "node:test";
import fc from "fast-check";
import type { Database, Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import { askOperations } from "./model/ask-operations.ts";
import { consult } from "./model/consult.ts";
import type { Asker, Operation } from "./model/operation.ts";
import type { OracleState } from "./model/oracle-state.ts";
import { type Answeredly, findSerialOrder } from "./model/serial-order.ts";
import { patchAtOnce } from "./support/patch-at-once.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

// DS_MODEL_SEED repeats the random part.
const seed = Number(process.env["DS_MODEL_SEED"] ?? randomInt(2 ** 30));

test("64 clients with disjoint patches of one record at once: every patch is there, versions and events are 1 to n, each patch in exactly one step of the history [V-DEC-480] [V-DEC-481] [V-DEC-482] [V-STATE-009]", async () => {
  await using vault = await startVault();
  await patchAtOnce({ vaults: [vault], vault, clients: 64 });
});

const OPERATIONS: fc.Arbitrary<(id: string) => Operation> = fc.oneof(
  fc.nat(2).map(
    (n) =>
      (id: string): Operation => ({
        do: "update",
        id,
        input: { ontology: "note", payload: { [`f${n}`]: n, last: n } },
      }),
  ),
  fc.nat(2).map(
    (n) =>
      (id: string): Operation => ({ do: "updateValue", id, field: "start", newValue: n }),
  ),
  fc.constant((id: string): Operation => ({ do: "remove", id })),
  fc.integer({ min: 1, max: 4 }).map(
    (version) =>
      (id: string): Operation => ({ do: "rollback", id, version }),
  ),
  fc.constant((id: string): Operation => ({ do: "read", id })),
);

function askerOf(owner: string): Asker {
  return { kind: "person", ename: owner, platform: null, author: null, onBehalfOf: null, writes: true, bearer: false };
}

async function askOne(vault: { readonly url: string }, owner: string, operation: Operation): Promise<Answeredly> {
  const [outcome] = await askOperations(vault, { owner, operations: [operation], headers: {}, policies: false });
  return { operation, outcome: outcome! };
}

/** Makes a record of two versions, in the vault and for the oracle. */
async function startRecord(vault: TestVault) {
  const owner = await vault.createOwner();
  const state: OracleState = { records: new Map(), logs: [], events: [] };
  const note = async (operation: Operation) => {
    const { outcome } = await askOne(vault, owner, operation);
    consult({ owner, state, asker: askerOf(owner), operation, outcome, tokenSpent: false, unpagedCap: 10_000 });
    return outcome.data?.metaEnvelope?.id as string;
  };
  const id = await note({ do: "create", input: { ontology: "note", payload: { start: 0 } } });
  await note({ do: "update", id, input: { ontology: "task", payload: { second: true } } });
  return { owner, id, state };
}

type Started = Awaited<ReturnType<typeof startRecord>>;

/** Reads the record, its history and the log, and looks for a serial order that explains all of it, and the events. */
async function assertSerial(
  vault: TestVault,
  { owner, id, state }: Started,
  during: readonly Answeredly[],
): Promise<void> {
  const afterwards = [];
  for (const operation of [
    { do: "read", id },
    { do: "history", id, size: 100 },
    { do: "logs", size: 100 },
  ] as const) {
    afterwards.push(await askOne(vault, owner, operation as Operation));
  }
  const order = findSerialOrder({ owner, asker: askerOf(owner), before: state, during, afterwards });
  assert.ok(order, `no serial order explains ${JSON.stringify([...during, ...afterwards], null, 1)}`);
  const { rows } = await vault.database.query<{ versions: number[]; events: number[] }>({
    text: `select (select array_agg(version order by version) from change where owner = $1) as versions,
      (select array_agg(stream_version order by stream_version) from change_event where owner = $1) as events`,
    values: [owner],
  });
  const versions = rows[0]!.versions;
  assert.deepEqual(
    versions,
    Array.from({ length: versions.length }, (_, n) => n + 1),
  );
  assert.deepEqual(rows[0]!.events, versions);
}

test("updates, removals, rollbacks and reads of one record at once are answered as in some serial order [V-STATE-002] [V-STATE-026] [V-STATE-028] [V-STATE-031] [V-DEC-481]", async (t: TestContext) => {
  await using vault = await startVault();
  t.diagnostic(`DS_MODEL_SEED=${seed}`);
  const drawn = fc.sample(fc.array(OPERATIONS, { minLength: 4, maxLength: 7 }), { seed, numRuns: 60 });
  for (const operations of drawn) {
    const started = await startRecord(vault);
    const during = await Promise.all(operations.map((make) => askOne(vault, started.owner, make(started.id))));
    await assertSerial(vault, started, during);
  }
});

/** A database whose statements on records wait for their turn, which the scheduler gives; what is under way is counted. */
function scheduled(database: Database, turns: { scheduler: fc.Scheduler | undefined; underWay: number }): Database {
  async function turn(label: string): Promise<void> {
    await turns.scheduler?.schedule(Promise.resolve(), label);
  }
  const on = (queryable: Queryable): Queryable => ({
    query: async <Row>(statement: Statement) => {
      if (/meta_envelope|from change/.test(statement.text)) await turn(statement.name ?? "statement");
      turns.underWay += 1;
      try {
        return await queryable.query<Row>(statement);
      } finally {
        turns.underWay -= 1;
      }
    },
  });
  return {
    ...on(database),
    transaction: (work) =>
      database.transaction(async (transaction) => {
        const result = await work(on(transaction));
        await turn("commit");
        return result;
      }),
    [Symbol.asyncDispose]: () => database[Symbol.asyncDispose](),
  };
}

/** Waits until nothing goes on by itself any more; what waits for a row that another transaction holds goes on later. */
async function settle(turns: { readonly underWay: number }): Promise<void> {
  for (let quiet = 0, waited = 0; quiet < 3 && waited < 40; waited += 1) {
    await new Promise<void>((done) => (turns.underWay === 0 ? setImmediate(done) : setTimeout(done, 1)));
    quiet = turns.underWay === 0 ? quiet + 1 : 0;
  }
}

test("whatever the order in which the statements of such operations reach the database, some serial order explains every answer [V-STATE-002] [V-STATE-021] [V-DEC-480] [V-DEC-481]", async (t: TestContext) => {
  const turns: { scheduler: fc.Scheduler | undefined; underWay: number } = { scheduler: undefined, underWay: 0 };
  await using vault = await startVault({}, { seenAs: (database) => scheduled(database, turns) });
  t.diagnostic(`DS_MODEL_SEED=${seed}`);
  async function race(scheduler: fc.Scheduler, operations: readonly ((id: string) => Operation)[]): Promise<void> {
    const started = await startRecord(vault);
    turns.scheduler = scheduler;
    let answered = 0;
    const during: Promise<Answeredly>[] = [];
    for (const make of operations) {
      const waiting = scheduler.count();
      const asked = askOne(vault, started.owner, make(started.id)).finally(() => {
        answered += 1;
      });
      during.push(asked);
      // One after the other they come to their first statement, so that the same seed makes the same race.
      while (scheduler.count() === waiting && answered < during.length) await new Promise((done) => setImmediate(done));
    }
    while (answered < operations.length) {
      if (scheduler.count() > 0) await scheduler.waitOne();
      await settle(turns);
    }
    turns.scheduler = undefined;
    await assertSerial(vault, started, await Promise.all(during));
  }
  const property = fc.asyncProperty(fc.scheduler(), fc.array(OPERATIONS, { minLength: 3, maxLength: 6 }), race);
  await fc.assert(property, { seed, numRuns: 150 });
});
