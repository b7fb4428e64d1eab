import { systemClock } from "@dataspace/service-kit/clock";
import { listen } from "@dataspace/service-kit/http/listen";
import { createLog } from "@dataspace/service-kit/log";
import { createMetrics } from "@dataspace/service-kit/monitoring/metrics";
import { openDatabase } from "@dataspace/service-kit/postgres/database";
import { migrate } from "@dataspace/service-kit/postgres/migrations";
import { openTestDatabase, TEST_SERVER_SETTING } from "@dataspace/service-kit/testing/test-database";
import type { Constellation } from "../../constellation.ts";
import type { Environment } from "../../service.ts";
import { vaultRecipe } from "../../services/vault.ts";

/** Another operator's vault and provisioner, on a database of their own, at the constellation's registry. */
export interface SecondVault extends AsyncDisposable {
  readonly registryUrl: string;
  readonly vaultUrl: string;
}

/** Starts it on a free port, with other settings if any. */
export async function startSecondVault(space: Constellation, changes: Environment = {}): Promise<SecondVault> {
  await using opened = new AsyncDisposableStack();
  const { url } = opened.use(await openTestDatabase(process.env[TEST_SERVER_SETTING]));
  const databaseConfig = {
    url,
    maxConnections: 4,
    statementTimeoutMs: 2_000,
    connectTimeoutMs: 5_000,
    applicationName: "second-vault",
  };
  const database = opened.use(openDatabase(databaseConfig, () => undefined));
  const env: Record<string, string | undefined> = { ...space.settings, VAULT_ID: "@second", ...changes };
  const { migrations, build } = await vaultRecipe.load();
  for (const source of migrations) await migrate(database, source);
  const log = createLog({ service: "vault", level: "silent", pretty: false });
  const metrics = createMetrics({ log, monotonicMs: () => performance.now() });
  const base = { database, clock: systemClock, log, metrics };
  const { app, host } = await build({ env, base, databaseConfig, cors: { origins: "any" } });
  opened.defer(() => app.close());
  const listening = await listen(app, { host, port: 0, portSetting: vaultRecipe.portSetting });
  env["DS_VAULT_URL"] = listening.url;
  const owned = opened.move();
  return {
    registryUrl: space.registryUrl,
    vaultUrl: listening.url,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}
