import { type ChildProcess, spawn } from "node:child_process";
import { createHash, randomBytes, randomUUID } from "node:crypto";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import type { BenchDatabase } from "./bench-server.ts";

/** An awareness service in a process of its own, started as an operator starts it. */
export interface BenchAwareness extends AsyncDisposable {
  readonly pid: number;
  readonly port: number;
  /** The key of a consumer that receives whatever everybody may read. */
  readonly apiKey: string;
}

/** The secret with which vaults of a bench send their events. */
export const INGEST_SECRET = "an-ingest-secret-of-the-bench-alone-0123456789";

const COMMAND_LINE = fileURLToPath(new URL("../../apps/cli/src/main.ts", import.meta.url));

/**
 * Starts `dataspace awareness` on an empty database, with a consumer in it. Its webhooks may go to this machine.
 *
 * Refuses: an Error when it ends before it listens.
 */
export async function startAwareness(database: BenchDatabase): Promise<BenchAwareness> {
  const given = (process.env["DS_BENCH_CHILD_OPTIONS"] ?? "").split(" ").filter((option) => option !== "");
  const child = spawn(process.execPath, [...process.execArgv, ...given, COMMAND_LINE, "awareness"], {
    stdio: ["ignore", "pipe", 2],
    env: {
      DATABASE_URL: database.url,
      DS_AWARENESS_PORT: "0",
      DS_REGISTRY_URL: "http://127.0.0.1:1",
      DS_INGEST_SECRET: INGEST_SECRET,
      DS_SECRET: "a secret of the bench alone, 0123456789abcdef",
      DS_OUTGOING_ALLOW: "127.0.0.0/8",
      DS_RATE_LIMIT_PER_ADDRESS: "0",
      DS_RATE_LIMIT_PROBES: "0",
    },
  });
  const url = await listeningAt(child);
  return {
    pid: child.pid as number,
    port: Number(new URL(url).port),
    apiKey: await addConsumer(database),
    [Symbol.asyncDispose]: () => end(child),
  };
}

/** Subscribes a target, which must take the challenge, to everything. Out: the subscription's id. */
export async function subscribe({ port, apiKey }: BenchAwareness, targetUrl: string): Promise<string> {
  const response = await fetch(`http://127.0.0.1:${port}/api/subscriptions`, {
    method: "POST",
    headers: { "content-type": "application/json", authorization: `Bearer ${apiKey}` },
    body: JSON.stringify({ targetUrl }),
  });
  const text = await response.text();
  if (response.status !== 201) throw new Error(`no subscription: ${response.status} ${text}`);
  return (JSON.parse(text) as { readonly id: string }).id;
}

async function listeningAt(child: ChildProcess): Promise<string> {
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream });
  for await (const line of lines) {
    const { url } = JSON.parse(line) as { readonly url?: string };
    if (url === undefined) process.stderr.write(`${line}\n`);
    else {
      child.stdout?.pipe(process.stderr);
      return url;
    }
  }
  throw new Error("the awareness service ended before it listened");
}

async function addConsumer(database: BenchDatabase): Promise<string> {
  const [id, key] = [randomUUID(), `dsk_${randomBytes(32).toString("base64url")}`];
  await database.query({
    text: `with made as (insert into consumer (id, name, created_at) values ($1, 'bench', now()))
           insert into api_key (key_hash, consumer_id, label, prefix, created_at) values ($2, $1, 'bench', $3, now())`,
    values: [id, createHash("sha256").update(key).digest(), key.slice(0, 16)],
  });
  return key;
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.kill("SIGTERM");
  await exited;
}
