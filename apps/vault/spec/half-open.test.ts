import assert from "node:assert/strict";
import { test } from "node:test";
import { setTimeout as wait } from "node:timers/promises";
import { startStallingProxy } from "@dataspace/service-kit/testing/stalling-proxy";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import { vaultMigrations } from "../src/migrations.ts";
import { create } from "./support/operations.ts";
import { startIngestStub } from "./support/start-ingest-stub.ts";
import { startVault } from "./support/start-vault.ts";

test("events are sent again after a firewall dropped every connection of the dispatcher's thread to its database [E1]", async () => {
  await using awareness = await startIngestStub();
  await using database = await openTestDatabase(process.env[TEST_SERVER_SETTING], vaultMigrations);
  await using proxy = await startStallingProxy(database.url);
  // Only the thread, which opens the database by its address, goes through the proxy.
  await using vault = await startVault({ awareness: awareness.address }, { database: { ...database, url: proxy.url } });
  const owner = await vault.createOwner();
  const handedOver = async (count: number) => {
    for (
      const end = Date.now() + 30_000;
      awareness.requests.flatMap(({ events }) => events).length < count;
      await wait(20)
    )
      assert.ok(Date.now() < end, `event ${count} was not sent`);
  };
  await create(vault, owner, { ontology: "note", payload: { n: 1 } });
  await handedOver(1);
  proxy.stall();
  await create(vault, owner, { ontology: "note", payload: { n: 2 } });
  await handedOver(2);
  assert.equal((await fetch(`${vault.adminUrl}/readyz`)).status, 200);
});
