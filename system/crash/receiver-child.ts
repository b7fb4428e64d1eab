// The receiver of all webhooks, a process that is never ended. It logs every arrival first, has the receiver library
// verify and apply it, and logs what was applied. It has two subscribers: one that always answers, one that fails at
// times.
import { createHash } from "node:crypto";
import { openSync, writeSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createMemoryWebhookStore } from "@dataspace/receiver/memory-webhook-store";
import { createWebhookReceiver, type WebhookReceiver } from "@dataspace/receiver/webhook-receiver";
import { createFastClock, type FastTime } from "./fast-clock.ts";

/** The receiver's configuration: which signatures are valid, and where it logs. */
export interface ReceiverStart {
  readonly secret: string;
  readonly time: FastTime;
  readonly logFile: string;
  /** Whether the second subscriber fails at times. */
  readonly flaky: boolean;
}

/** A line of the receiver's log. */
export type ReceiverLine =
  /** A webhook arrived: its subscriber, its content, the SHA-256 of its body, and whether it was marked as a replay. */
  | readonly ["arrived", subscriber: string, event: ArrivedEvent, bodyHash: string, isReplay: boolean]
  | readonly ["applied", subscriber: string, stream: string, version: number]
  /** The library refused it or could not apply it. */
  | readonly ["refused", subscriber: string, why: string];

/** The logged part of a webhook: `n` is the driver's number of the write, null in a removal. */
export interface ArrivedEvent {
  readonly eventId: string;
  readonly stream: string;
  readonly version: number;
  readonly n: number | null;
}

/** Messages to the supervisor: a webhook was applied and its answer is withheld, or the progress of each subscriber. */
export type ReceiverNews =
  | { readonly url: string }
  | { readonly held: true }
  | { readonly applied: Readonly<Record<string, number>> };

const NEWS_MS = 200;
/**
 * How often a webhook of the second subscriber is refused unread, and how often one is applied and then answered with
 * an error.
 */
const FAILS_EVERY = 50;

const applied: Record<string, number> = { steady: 0, flaky: 0 };
let holdsNext = false;
let received = 0;

process.on("message", (message: { readonly start: ReceiverStart } | { readonly hold: boolean }) => {
  if ("hold" in message) holdsNext = message.hold;
  else start(message.start);
});
process.once("disconnect", () => process.exit(0));

function tell(news: ReceiverNews): void {
  process.send?.(news);
}

function start({ secret, time, logFile, flaky }: ReceiverStart): void {
  const file = openSync(logFile, "a");
  const write = (line: ReceiverLine) => writeSync(file, `${JSON.stringify(line)}\n`);
  const receivers = new Map(Object.keys(applied).map((name) => [name, createReceiver(name, { secret, time, write })]));
  const server = createServer((request, response) => {
    const name = request.url?.slice(1) ?? "";
    const receive = receivers.get(name);
    if (receive === undefined) return response.writeHead(404).end();
    void take({ name, receive, write, flaky }, request, response);
  });
  server.listen(0, "127.0.0.1", () => {
    tell({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}` });
    setInterval(() => tell({ applied }), NEWS_MS);
  });
}

function createReceiver(
  name: string,
  { secret, time, write }: Pick<ReceiverStart, "secret" | "time"> & { readonly write: (line: ReceiverLine) => void },
): WebhookReceiver {
  return createWebhookReceiver(
    {
      secrets: [secret],
      store: createMemoryWebhookStore({ maxRecords: Number.MAX_SAFE_INTEGER }),
      onEvent: ({ dsid, id, streamVersion }) => {
        write(["applied", name, `${dsid} ${id}`, streamVersion]);
        applied[name] = (applied[name] ?? 0) + 1;
      },
      onError: (error) => write(["refused", name, String(error)]),
    },
    { fetch, clock: createFastClock(time) },
  );
}

interface Subscriber {
  readonly name: string;
  readonly receive: WebhookReceiver;
  readonly write: (line: ReceiverLine) => void;
  readonly flaky: boolean;
}

async function take(
  { name, receive, write, flaky }: Subscriber,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const parts: Buffer[] = [];
  for await (const part of request) parts.push(part as Buffer);
  const body = Buffer.concat(parts);
  const isEvent = request.headers["webhook-type"] !== "challenge";
  if (isEvent) {
    const hash = createHash("sha256").update(body).digest("base64url");
    write(["arrived", name, readArrived(body), hash, request.headers["webhook-replay"] === "true"]);
    received += 1;
  }
  const fails = isEvent && flaky && name === "flaky";
  if (fails && received % FAILS_EVERY === 0) return void response.writeHead(503).end();
  const headers = request.headers as Record<string, string>;
  const answer = await receive(new Request("http://receiver/", { method: "POST", headers, body }));
  if (answer.status !== 200) write(["refused", name, `${answer.status} ${await answer.text()}`]);
  if (isEvent && holdsNext) {
    holdsNext = false;
    return tell({ held: true });
  }
  response.writeHead(fails && received % FAILS_EVERY === 1 ? 500 : answer.status).end();
}

function readArrived(body: Buffer): ArrivedEvent {
  const { eventId, dsid, id, streamVersion, data } = JSON.parse(body.toString());
  return { eventId, stream: `${dsid} ${id}`, version: streamVersion, n: data.n ?? null };
}
