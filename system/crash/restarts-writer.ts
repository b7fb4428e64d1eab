import { readFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import type { Stack } from "./restarts-stack.ts";

/** Writes records to a stack between kills, receives its webhooks, and compares the two. */
export interface StackWriter {
  /** Creates and updates records, one after the other. */
  readonly writeFor: (ms: number) => Promise<void>;
  /** Finds acknowledged writes that are lost. */
  readonly check: () => Promise<void>;
  /** Waits until the webhooks of every record have arrived, and finds lost ones. */
  readonly judge: () => Promise<void>;
  readonly acknowledged: () => number;
  readonly arrivals: () => number;
}

/** A record: the last acknowledged write, the last attempted one, and the newest version that arrived. */
interface Written {
  readonly id: string;
  acknowledged: number;
  tried: number;
  arrived: number;
  arrivedNumber: number;
}

interface Webhook {
  readonly id: string;
  readonly streamVersion: number;
  readonly data: { readonly n?: number };
}

const RECORDS = 12;
const REQUEST_MS = 10_000;
const ARRIVAL_LIMIT_MS = 90_000;
const CREATE =
  "mutation ($input: MetaEnvelopeInput!) { it: createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code } } }";
const UPDATE =
  "mutation ($id: ID!, $input: MetaEnvelopeInput!) { it: updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { id } errors { code } } }";
const READ = "query ($id: ID!) { it: metaEnvelope(id: $id) { parsed } }";

/**
 * Starts the receiver of webhooks, which lives as long as this process. In: `faults` collects lost and out-of-order
 * events.
 */
export async function createStackWriter(stack: Stack, faults: string[]): Promise<StackWriter> {
  const records = new Map<string, Written>();
  const earlyVersions = new Map<string, Webhook[]>();
  let [acknowledged, arrivals, n] = [0, 0, 0];
  let isSubscribed = false;

  function take(webhook: Webhook): void {
    arrivals += 1;
    const record = records.get(webhook.id);
    if (record === undefined)
      return void earlyVersions.set(webhook.id, [...(earlyVersions.get(webhook.id) ?? []), webhook]);
    if (webhook.streamVersion <= record.arrived) return;
    if (webhook.streamVersion !== record.arrived + 1)
      faults.push(`version ${webhook.streamVersion} of ${webhook.id} came after ${record.arrived}`);
    record.arrived = webhook.streamVersion;
    record.arrivedNumber = webhook.data.n ?? 0;
  }

  async function subscribe(): Promise<void> {
    const { port } = server.address() as AddressInfo;
    const body = JSON.stringify({ targetUrl: `http://127.0.0.1:${port}/` });
    const headers = { "content-type": "application/json" };
    const response = await fetch(`${stack.awarenessUrl}/api/subscriptions`, { method: "POST", headers, body });
    if (response.status !== 201) throw new Error(`the subscription was answered ${response.status}`);
    isSubscribed = true;
  }

  async function writeOnce(): Promise<void> {
    n += 1;
    const input = { ontology: "note", payload: { n }, acl: ["*"] };
    if (records.size < RECORDS) {
      const id = (await ask<{ metaEnvelope?: { id: string } }>(stack, CREATE, { input }))?.metaEnvelope?.id;
      if (id === undefined) return;
      records.set(id, { id, acknowledged: n, tried: n, arrived: 0, arrivedNumber: 0 });
      for (const webhook of earlyVersions.get(id) ?? []) take(webhook);
    } else {
      const record = [...records.values()][n % records.size] as Written;
      record.tried = n;
      const answer = await ask<{ metaEnvelope?: { id: string } }>(stack, UPDATE, { id: record.id, input });
      if (answer?.metaEnvelope === undefined) return;
      record.acknowledged = n;
    }
    acknowledged += 1;
  }

  async function readNumber({ id }: Written): Promise<number | undefined> {
    const found = await ask<{ parsed: { n: number } } | null>(stack, READ, { id });
    return found === undefined ? undefined : (found?.parsed.n ?? 0);
  }

  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    if (request.headers["webhook-type"] !== "challenge") take(JSON.parse(Buffer.concat(parts).toString()) as Webhook);
    response.writeHead(204).end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    acknowledged: () => acknowledged,
    arrivals: () => arrivals,
    writeFor: async (ms) => {
      if (!isSubscribed) await subscribe();
      // A kill comes between two requests here; work inside the stack is not awaited.
      const end = performance.now() + ms;
      while (performance.now() < end) await writeOnce();
      void writeOnce();
    },
    check: async () => {
      for (const record of records.values()) {
        const found = await readNumber(record);
        if (found === undefined) faults.push(`${record.id} could not be read`);
        else if (found < record.acknowledged || found > record.tried)
          faults.push(
            `${record.id} has ${found}; ${record.acknowledged} was acknowledged, ${record.tried} the last tried`,
          );
      }
    },
    judge: async () => {
      for (const record of records.values()) {
        const found = await readNumber(record);
        for (const end = Date.now() + ARRIVAL_LIMIT_MS; record.arrivedNumber !== found && Date.now() < end; )
          await wait(50);
        if (record.arrivedNumber !== found)
          faults.push(`the webhook of write ${found} of ${record.id} never came; the last was ${record.arrivedNumber}`);
      }
    },
  };
}

/** Out: the operation's result; undefined when it was not answered or refused. */
async function ask<It>(stack: Stack, query: string, variables: object): Promise<It | undefined> {
  try {
    const response = await fetch(`${stack.vaultUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": findOwner(stack) },
      body: JSON.stringify({ query, variables }),
      signal: AbortSignal.timeout(REQUEST_MS),
    });
    return ((await response.json()) as { data?: { it: It } }).data?.it;
  } catch {
    return undefined;
  }
}

function findOwner({ dataDirectory }: Stack): string {
  const people = JSON.parse(readFileSync(join(dataDirectory, "demo-identities.json"), "utf8")) as { ename: string }[];
  return people[0]?.ename ?? "";
}
