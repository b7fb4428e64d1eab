// A vault in a process of its own, on a database that others use too. Started by start-vault-beside.ts.
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { registryStubAt } from "./start-registry-stub.ts";
import { startVault } from "./start-vault.ts";
import type { VaultBesideStart } from "./start-vault-beside.ts";

async function start({ databaseUrl, registryUrl, changes }: VaultBesideStart): Promise<void> {
  const limits = { statementTimeoutMs: 30_000, connectTimeoutMs: 10_000 };
  const opened = openDatabase(
    { url: databaseUrl, maxConnections: 8, applicationName: "dataspace-vault", ...limits },
    () => undefined,
  );
  const database = { ...opened, url: databaseUrl, [Symbol.asyncDispose]: () => opened[Symbol.asyncDispose]() };
  const vault = await startVault(changes, { database, registry: registryStubAt(registryUrl) });
  process.once("disconnect", async () => {
    await vault[Symbol.asyncDispose]();
    await opened[Symbol.asyncDispose]();
    process.exit(0);
  });
  process.send?.({ url: vault.url });
}

process.once("message", (message) => {
  start(message as VaultBesideStart).catch((error: Error) => process.send?.({ fault: error.stack ?? error.message }));
});
