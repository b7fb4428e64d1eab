import assert from "node:assert/strict";
import crypto from "node:crypto";
import { syncBuiltinESMExports } from "node:module";
import { test } from "node:test";
import { systemClock } from "@dataspace/service-kit/clock";
import { filesOnStack } from "@dataspace/service-kit/testing/files-on-stack";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { startVault } from "./support/start-vault.ts";

const CREATE = `mutation {
  createMetaEnvelope(input: { ontology: "550e8400-e29b-41d4-a716-446655440001", payload: {}, acl: ["*"] }) {
    errors { code }
  }
}`;

test("a create crosses at most 8 files up to its statement, and its token at most 6 up to the check of the signature", async (t) => {
  const ways = { create: [] as readonly string[], token: [] as readonly string[] };
  const watched = <On extends Queryable>(on: On): On => ({
    ...on,
    query: (statement: Parameters<On["query"]>[0]) => {
      if (statement.text.includes("insert into meta_envelope")) ways.create = filesOnStack();
      return on.query(statement);
    },
  });
  const seenAs = (database: Database): Database => ({
    ...watched(database),
    transaction: (work) => database.transaction((inner) => work(watched(inner))),
  });
  await using vault = await startVault({ auth: "enforced" }, { seenAs });
  const key = await createWalletKey();
  const owner = await vault.createOwner(key.publicKey);
  const token = await issueWalletToken({ key, clock: systemClock }, { ename: owner, audience: owner });

  const { verify } = crypto;
  t.mock.method(crypto, "verify", (...parts: Parameters<typeof verify>) => {
    ways.token = filesOnStack();
    return verify(...parts);
  });
  syncBuiltinESMExports();
  t.after(() => {
    t.mock.restoreAll();
    syncBuiltinESMExports();
  });
  const answer = await fetch(`${vault.url}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": owner, authorization: `Bearer ${token}` },
    body: JSON.stringify({ query: CREATE }),
  });
  assert.deepEqual(await answer.json(), { data: { createMetaEnvelope: { errors: [] } } });

  assert.equal(ways.create.at(-1), "apps/vault/src/http/graphql.ts", ways.create.join("\n"));
  assert.ok(ways.create.length <= 8, ways.create.join("\n"));
  assert.ok(ways.token.includes("apps/vault/src/http/graphql.ts"), ways.token.join("\n"));
  assert.ok(ways.token.length <= 6, ways.token.join("\n"));
  t.diagnostic(JSON.stringify(ways));
});
