import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { VaultServerConfig } from "../../src/server.ts";
import type { TestVault } from "./start-vault.ts";

/** What a vault process is started with. */
export interface VaultBesideStart {
  readonly databaseUrl: string;
  readonly registryUrl: string;
  readonly changes: Partial<VaultServerConfig>;
}

/** A vault in a process of its own. */
export interface VaultBeside extends AsyncDisposable {
  readonly url: string;
  readonly pid: number;
}

/** Starts a vault in a process of its own beside another one, on the same database and with the same secrets. */
export async function startVaultBeside(
  beside: Pick<TestVault, "database" | "registry">,
  changes: Partial<VaultServerConfig>,
): Promise<VaultBeside> {
  const script = fileURLToPath(new URL("./vault-child.ts", import.meta.url));
  const child = fork(script, { stdio: ["ignore", 2, 2, "ipc"] });
  const start: VaultBesideStart = { databaseUrl: beside.database.url, registryUrl: beside.registry.url, changes };
  child.send(start);
  const [{ url, fault }] = await once(child, "message", { signal: AbortSignal.timeout(30_000) });
  if (url === undefined) throw new Error(`the vault process did not start: ${fault}`);
  return {
    url,
    pid: child.pid!,
    [Symbol.asyncDispose]: async () => {
      if (child.exitCode !== null) return;
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
