import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { after, before, test } from "node:test";
import { vacuumErased } from "../src/leaving/vacuum-erased.ts";
import { askGraphQL } from "./support/ask.ts";
import { asOwner, codeOf } from "./support/exits.ts";
import { create, DOCUMENTS, errorCodeOf } from "./support/operations.ts";
import { createPerson, type Person, platformHeaders } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";

const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) {
  results { success error } } }`;

let vault: TestVault;
before(async () => {
  vault = await startVault();
});
after(() => vault[Symbol.asyncDispose]());

async function fill({ ename }: Person, many: number, title: string, id?: string): Promise<void> {
  const inputs = Array.from({ length: many }, () => ({ id, ontology: "note", payload: { title } }));
  const { body } = await askGraphQL(vault, ename, BULK, { inputs }, platformHeaders(vault));
  const { results } = body.data.bulkCreateMetaEnvelopes as { results: readonly { success: boolean }[] };
  assert.equal(results.filter(({ success }) => success).length, many);
}

const erase = (person: Person, after?: string) =>
  asOwner(vault, person, "POST /erase", { confirm: person.ename, ...(after === undefined ? {} : { after }) });

async function countWith(owner: string, canary: string): Promise<number> {
  const text = `select (select count(*) from change where owner = $1 and payload like '%' || $2 || '%')
    + (select count(*) from meta_envelope where owner = $1 and (payload || search) like '%' || $2 || '%')
    + (select count(*) from idempotent_answer where owner = $1 and answer like '%' || $2 || '%') as n`;
  return (await vault.database.query<{ n: number }>({ text, values: [owner, canary] })).rows[0]!.n;
}

test("a keyed request that is repeated after an erasure writes nothing again: 410 ANSWER_ERASED [V-DEC-685] [V-DEC-727]", async () => {
  const person = await createPerson(vault);
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const send = () =>
    askGraphQL(
      vault,
      person.ename,
      DOCUMENTS.create,
      { input: { ontology: "note", payload: { title: canary } } },
      {
        "idempotency-key": "once",
      },
    );
  assert.equal((await send()).status, 200);
  assert.equal((await erase(person)).body.next, null);
  const again = await send();
  assert.deepEqual([again.status, errorCodeOf(again)], [410, "ANSWER_ERASED"]);
  assert.equal(await countWith(person.ename, canary), 0);
});

test("an erasure waits for a keyed request that has read what is erased, and destroys its answer [V-DEC-685] [decision V26]", async () => {
  const person = await createPerson(vault);
  const canary = `canary${randomBytes(8).toString("hex")}`;
  const id = await create(vault, person.ename, { payload: { title: canary } });
  const document = `mutation ($id: ID!) { a: removeMetaEnvelope(id: "none") { success }
    b: updateMetaEnvelope(id: $id, input: { ontology: "note", payload: { more: 1 } }) { metaEnvelope { parsed } errors { code } } }`;
  for (let round = 0; round < 5; round += 1) {
    const keyed = askGraphQL(vault, person.ename, document, { id }, { "idempotency-key": `round ${round}` });
    const [answer] = await Promise.all([keyed, erase(person)]);
    assert.ok(answer.status === 200 || errorCodeOf(answer) === "TRY_AGAIN", JSON.stringify(answer.body));
    await erase(person);
    assert.equal(await countWith(person.ename, canary), 0, `round ${round}`);
  }
});

test("what is written while a vault is erased is erased too: the last part says so only once nothing is left [V-DEC-685]", async () => {
  const person = await createPerson(vault);
  const canary = `canary${randomBytes(8).toString("hex")}`;
  await fill(person, 450, canary);
  let part = (await erase(person)).body as { erased: number; next: string | null };
  assert.deepEqual([part.erased, typeof part.next], [200, "string"]);
  await fill(person, 1, canary, "-below-the-cursor");
  for (let parts = 0; part.next !== null; parts += 1) {
    assert.ok(parts < 20);
    part = (await erase(person, part.next)).body as typeof part;
  }
  assert.equal(await countWith(person.ename, canary), 0);
});

test("writers who go on during an erasure are never refused or lost in a deadlock, and the erasure ends after them [V-DEC-685] [decision V25]", async () => {
  const person = await createPerson(vault);
  await fill(person, 250, "old");
  let isWriting = true;
  const writer = async (): Promise<readonly unknown[]> => {
    const faults: unknown[] = [];
    while (isWriting) {
      const input = { ontology: "note", payload: { title: "new" } };
      const { status, body } = await askGraphQL(vault, person.ename, DOCUMENTS.create, { input });
      const id = body.data?.createMetaEnvelope?.metaEnvelope?.id as string | undefined;
      if (status !== 200 || id === undefined) faults.push(body);
      const updated = await askGraphQL(vault, person.ename, DOCUMENTS.update, { id, input });
      const [error] = updated.body.data?.updateMetaEnvelope?.errors ?? [];
      if (updated.status !== 200 || (error !== undefined && error.code !== "NOT_FOUND")) faults.push(updated.body);
    }
    return faults;
  };
  const writers = [writer(), writer(), writer()];
  const eraser = (async () => {
    let next: string | null = "";
    for (let parts = 0; next !== null && parts < 30; parts += 1) {
      const { status, body } = await erase(person, next);
      assert.equal(status, 200, JSON.stringify(body));
      next = body.next;
      if (parts === 5) isWriting = false;
    }
    isWriting = false;
    return next;
  })();
  assert.equal(await eraser, null);
  assert.deepEqual((await Promise.all(writers)).flat(), []);
});

test("an id or a cursor that no record can have is BAD_USER_INPUT [V-DEC-685]", async () => {
  const person = await createPerson(vault);
  for (const hostile of ["\u0000", "a b", "\ud800", "a".repeat(129), "../x"])
    for (const member of ["id", "after"]) {
      const answer = await asOwner(vault, person, "POST /erase", { confirm: person.ename, [member]: hostile });
      assert.deepEqual(codeOf(answer), [400, "BAD_USER_INPUT"], JSON.stringify([member, hostile]));
    }
});

test("the vacuum after an erasure runs on one connection, without its limit for statements, and gives it back as it was", async () => {
  const statements: string[] = [];
  const { database } = vault;
  const watched = {
    query: () => assert.fail("a statement of the vacuum ran on any connection of the pool"),
    transaction: (work: Parameters<typeof database.transaction>[0]) =>
      database.transaction((session) =>
        work({
          query: (statement) => {
            statements.push(statement.text);
            return session.query(statement);
          },
        }),
      ),
  } as unknown as typeof database;
  await vacuumErased(watched, { rewrite: false });
  assert.equal(statements[1], "set statement_timeout = 0");
  assert.equal(statements.at(-1), "reset statement_timeout");
  assert.equal(statements.filter((text) => text.startsWith("vacuum (analyze)")).length, 6);
});
