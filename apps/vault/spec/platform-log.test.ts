import assert from "node:assert/strict";
import { test } from "node:test";
import { parseEName } from "@dataspace/protocol/ename";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { ask, askGraphQL } from "./support/ask.ts";
import { createPerson, type Person, platformSession } from "./support/people.ts";
import { startVault, type TestVault } from "./support/start-vault.ts";
import { createWatch, workOf } from "./support/watch-work.ts";

const { SocialMediaPost: POST, Ledger } = ONTOLOGY_ID;
const BULK = `mutation ($inputs: [BulkMetaEnvelopeInput!]!) { bulkCreateMetaEnvelopes(inputs: $inputs) { successCount } }`;

async function create(vault: TestVault, owner: Person, count: number, ontology: string): Promise<void> {
  const inputs = Array.from({ length: count }, (_, n) => ({ ontology, payload: { n }, acl: ["*"] }));
  const { body } = await askGraphQL(vault, owner.ename, BULK, { inputs }, await owner.at(owner.ename));
  assert.equal(body.data.bulkCreateMetaEnvelopes.successCount, count);
}

test("the log of an evidence session looks only at entries of its ontologies, however many others are newer [decision V27]", async () => {
  const watch = createWatch();
  await using vault = await startVault({ auth: "enforced" }, { seenAs: watch.seenAs });
  const owner = await createPerson(vault);
  const platform = parseEName("5c0e1b52-6b0a-4d0f-9d8e-2f5b7a1c9e01");
  const session = platformSession(vault, owner.ename, { platform, domains: ["social"] });
  const readLog = async () => {
    await vault.database.query({ text: "analyze meta_envelope, change", values: [] });
    const statements = await watch.during(async () => {
      const { body } = await ask(vault, "/logs?limit=10", { headers: { "x-ename": owner.ename, ...session } });
      assert.equal(body.logs.length, 10);
    });
    return (await workOf(vault.database, statements)).rows;
  };
  await create(vault, owner, 200, POST);
  await create(vault, owner, 500, Ledger);
  const before = await readLog();
  for (let round = 0; round < 4; round += 1) await create(vault, owner, 500, Ledger);
  assert.equal(await readLog(), before);
  assert.ok(before < 100, `${before} rows are looked at for a page of 10`);
});
