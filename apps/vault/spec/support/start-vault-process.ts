import { spawn } from "node:child_process";
import { once } from "node:events";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A vault in a process of its own, which a test may kill. */
export interface VaultProcess extends AsyncDisposable {
  readonly url: string;
  readonly kill: (signal: NodeJS.Signals) => Promise<void>;
}

const MAIN = JSON.stringify(new URL("../../src/main.ts", import.meta.url).href);
const CODE = `const { startVault } = await import(${MAIN});
  const { url } = await startVault(process.env);
  process.stdout.write("\\nready " + url + "\\n");`;

/** Starts a vault in header mode as the service does, on a database that has its tables, with further settings if any. */
export async function startVaultProcess(
  databaseUrl: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<VaultProcess> {
  const child = spawn(process.execPath, ["--input-type=module", "-e", CODE], {
    env: {
      DATABASE_URL: databaseUrl,
      DS_REGISTRY_URL: "http://127.0.0.1:9",
      REGISTRY_SHARED_SECRET: "0123456789abcdefghijklmnopqrstuv",
      DS_SECRET: "0123456789abcdefghijklmnopqrstuv",
      DS_VAULT_AUTH: "header",
      DS_VAULT_PORT: "0",
      DS_FILES: join(tmpdir(), "vault-process-files"),
      ...settings,
    },
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(child, "close");
  async function kill(signal: NodeJS.Signals): Promise<void> {
    child.kill(signal);
    await ended;
  }
  let written = "";
  for await (const text of child.stdout.setEncoding("utf8").iterator({ destroyOnReturn: false })) {
    written += text;
    const url = /^ready (.+)$/m.exec(written)?.[1];
    if (url === undefined) continue;
    child.stdout.resume();
    return { url, kill, [Symbol.asyncDispose]: () => kill("SIGKILL") };
  }
  throw new Error(`the vault did not start: ${written}`);
}
