import { parseEName } from "@dataspace/protocol/ename";
import { createVaultClients } from "@dataspace/vault-client/vault-clients";
import { createWalletCredential } from "@dataspace/vault-client/wallet-credential";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import { startBareServer } from "./support/bare-server.ts";
import { compare } from "./support/compare.ts";
import type { LoadResult } from "./support/load-process.ts";
import type { BenchContext, BenchReport } from "./support/measurement.ts";
import { sampleInput } from "./support/sample-records.ts";
import { percentile } from "./support/statistics.ts";

const AT_ONCE = 16;
const REGISTRY_URL = "http://registry.bench";
const OWNER = parseEName("@11111111-2222-4333-8444-555555555555");
const { ontology, payload } = sampleInput(1);
const INPUT = { ontology, payload: payload as object };
const RECORD = { id: "1", ontology: INPUT.ontology, parsed: INPUT.payload, _acl: null };
const ANSWER = { data: { metaEnvelope: RECORD, createMetaEnvelope: { metaEnvelope: RECORD, errors: [] } } };
const READ = "query($id: ID!) { metaEnvelope(id: $id) { id ontology parsed } }";

const BARE = `bare fetch, ${AT_ONCE} at once`;
const CLIENT = `get of the vault client, ${AT_ONCE} at once`;
const SIGNED = `get with a wallet's token, ${AT_ONCE} at once`;
const WRITES = `create with a wallet's token for each, ${AT_ONCE} at once`;

/** Reads through the vault client beside reads by `fetch` alone, of a server that answers the same to both; creates that sign a token are shown beside. */
export async function benchVaultClient(context: BenchContext): Promise<BenchReport> {
  await using server = await startBareServer(JSON.stringify(ANSWER));
  const uri = `http://127.0.0.1:${server.port}`;
  const toRegistry = async () => Response.json({ kind: "vault", ename: OWNER, uri, vault: "bench" });
  const routed = (url: string, init: RequestInit) => (url.startsWith(REGISTRY_URL) ? toRegistry() : fetch(url, init));
  const credential = createWalletCredential({ ename: OWNER, key: await createWalletKey() });
  const open = (more: object) =>
    createVaultClients({ registryUrl: REGISTRY_URL, ...more }, { fetch: routed }).vault(OWNER);
  const [unsigned, signed] = [open({}), open({ credential })];
  const variants = {
    [BARE]: () => readBarely(uri),
    [CLIENT]: () => unsigned.get("1"),
    [SIGNED]: () => signed.get("1"),
    [WRITES]: () => signed.create(INPUT),
  };
  const { figures, ratio } = await compare(
    context,
    Object.entries(variants).map(([name, act]) => ({
      name,
      servicePid: process.pid,
      run: () => runAtOnce(act, context.sizes.windowMs),
    })),
  );
  return {
    outcomes: [
      {
        name: "requests per second of the vault client / of bare fetch",
        measured: ratio("opsPerSecond", CLIENT, BARE),
        bar: 0.8,
        atMost: false,
      },
      {
        name: "CPU of a request by the vault client / by bare fetch",
        measured: ratio("serviceCpuUs", CLIENT, BARE),
        bar: 1.3,
        atMost: true,
      },
    ],
    figures,
    notes: [
      "The service whose CPU is shown is the caller's own process.",
      `With a wallet's token the rate is ${ratio("opsPerSecond", SIGNED, BARE).toFixed(2)} of bare fetch for reads, which share a token, and ${ratio("opsPerSecond", WRITES, BARE).toFixed(2)} for creates, each of which signs one.`,
    ],
  };
}

async function readBarely(uri: string): Promise<unknown> {
  const response = await fetch(`${uri}/graphql`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": OWNER },
    body: JSON.stringify({ query: READ, variables: { id: "1" } }),
  });
  return response.json();
}

async function runAtOnce(act: () => Promise<unknown>, durationMs: number): Promise<LoadResult> {
  const latenciesMs: number[] = [];
  const startMs = performance.now();
  const work = async () => {
    for (let sinceMs = startMs; sinceMs < startMs + durationMs; ) {
      await act();
      const nowMs = performance.now();
      latenciesMs.push(nowMs - sinceMs);
      sinceMs = nowMs;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  const elapsedMs = performance.now() - startMs;
  const [p50Ms, p99Ms] = [percentile(latenciesMs, 0.5), percentile(latenciesMs, 0.99)];
  return { operations: latenciesMs.length, elapsedMs, p50Ms, p99Ms };
}
