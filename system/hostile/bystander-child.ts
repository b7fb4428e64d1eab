// An unrelated client of the vault: reads and writes of its own owner, one after the other, from a separate process.
import { request } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { importNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import type { EName } from "@dataspace/protocol/ename";
import type { PrivateJwk } from "@dataspace/wallet/wallet-key";

/** The bystander's vault and owner. */
export interface BystanderStart {
  readonly vaultUrl: string;
  readonly ename: EName;
  readonly jwk: PrivateJwk;
}

/** The results of its requests since the last report. Milliseconds. */
export interface BystanderReport {
  readonly requests: number;
  readonly failures: readonly string[];
  readonly p50Ms: number;
  readonly p99Ms: number;
}

const PAUSE_MS = 20;
const REQUEST_MS = 15_000;
const LIST = { query: "{ metaEnvelopes(last: 5) { totalCount edges { node { id parsed } } } }" };
const CREATE = {
  query:
    "mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code } } }",
  variables: { input: { ontology: "note-v1", payload: { text: "I am only standing by." } } },
};

let latencies: number[] = [];
let failures: string[] = [];
let isRunning = false;
let loop: Promise<void> = Promise.resolve();

process.once("disconnect", () => process.exit(0));
process.on("message", (message: { readonly begin: BystanderStart } | "end") => {
  if (message === "end") void end();
  else begin(message.begin);
});

function begin(start: BystanderStart): void {
  latencies = [];
  failures = [];
  isRunning = true;
  loop = run(start);
}

async function end(): Promise<void> {
  isRunning = false;
  await loop;
  latencies.sort((one, other) => one - other);
  const at = (share: number): number =>
    latencies[Math.min(latencies.length - 1, Math.floor(latencies.length * share))] ?? 0;
  const report: BystanderReport = { requests: latencies.length, failures, p50Ms: at(0.5), p99Ms: at(0.99) };
  process.send?.(report);
}

async function run({ vaultUrl, ename, jwk }: BystanderStart): Promise<void> {
  const key = importNodeCryptoKey(jwk);
  const clock = { nowMs: () => Date.now() };
  for (let turn = 0; isRunning; turn++) {
    const token = await issueWalletToken({ key, clock }, { ename, audience: ename });
    const startedMs = performance.now();
    const failure = await ask(vaultUrl, { ename, token, turn }).catch((error: Error) => error.message);
    latencies.push(performance.now() - startedMs);
    if (failure !== undefined) failures.push(failure);
    await wait(PAUSE_MS);
  }
}

function ask(
  vaultUrl: string,
  { ename, token, turn }: { readonly ename: string; readonly token: string; readonly turn: number },
): Promise<string | undefined> {
  const isWhois = turn % 3 === 0;
  const headers = { "x-ename": ename, authorization: `Bearer ${token}`, "content-type": "application/json" };
  const options = { method: isWhois ? "GET" : "POST", headers, agent: false, timeout: REQUEST_MS } as const;
  return new Promise((resolve, reject) => {
    const sent = request(`${vaultUrl}${isWhois ? "/whois" : "/graphql"}`, options, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve(judge(response.statusCode ?? 0, Buffer.concat(chunks).toString("utf8"))));
      response.on("error", reject);
    });
    sent.on("timeout", () => sent.destroy(new Error(`no answer within ${REQUEST_MS} ms`)));
    sent.on("error", reject);
    sent.end(isWhois ? undefined : JSON.stringify(turn % 10 === 1 ? CREATE : LIST));
  });
}

function judge(status: number, text: string): string | undefined {
  const isFine = status === 200 && !text.includes('"code":"');
  return isFine ? undefined : `${status} ${text.slice(0, 160)}`;
}
