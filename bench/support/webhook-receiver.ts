import { once } from "node:events";
import { type AddressInfo, createServer, type Socket } from "node:net";

/** What came to a receiver. A fault of order is an event that came for the first time without its predecessor. */
export interface ReceivedCounts {
  readonly received: number;
  readonly repeated: number;
  readonly faults: number;
}

/**
 * A platform's endpoints on one port, a path for each, at the least cost: it looks for three members and checks no signature. At
 * `/ingest` it stands for an awareness service elsewhere, which stores nothing.
 */
export interface WebhookReceiver {
  readonly port: number;
  readonly counts: () => ReceivedCounts;
  /** How long each webhook since the last call took from its `occurredAt` on, in ms; those of hostile paths are left out. */
  readonly takeLatencies: () => readonly number[];
}

const HEAD_END = Buffer.from("\r\n\r\n");
const LENGTH = /\r\ncontent-length: *(\d+)/i;
const TAKEN = Buffer.from("HTTP/1.1 204 No Content\r\n\r\n");
/** In an event's body, which is a text in a request. */
const EVENT_ID = /\\"eventId\\":\\"([0-9a-f-]+)/g;
const PIECE = Buffer.alloc(65_536, "x");
const DRIBBLE_MS = 100;

/** What a hostile path does with every webhook but the challenge. */
const HOSTILE: Readonly<Record<string, (socket: Socket) => void>> = {
  "/hang": () => undefined,
  "/dribble": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\n");
    const timer = setInterval(() => socket.write("x"), DRIBBLE_MS);
    socket.once("close", () => clearInterval(timer));
  },
  "/redirect": (socket) => socket.write("HTTP/1.1 307 Moved\r\nlocation: /elsewhere\r\ncontent-length: 0\r\n\r\n"),
  "/flood": (socket) => {
    socket.write("HTTP/1.1 200 OK\r\ncontent-length: 10737418240\r\n\r\n");
    const pour = () => {
      while (!socket.destroyed && socket.write(PIECE));
    };
    socket.on("drain", pour);
    pour();
  },
  "/close": (socket) => socket.destroy(),
};

/** Starts a receiver on a free port; it ends with its process. */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const newest = new Map<string, number>();
  const counts = { received: 0, repeated: 0, faults: 0 };
  let latenciesMs: number[] = [];
  const take = (path: string, body: string) => {
    counts.received += 1;
    latenciesMs.push(performance.timeOrigin + performance.now() - Date.parse(memberOf(body, '"occurredAt":"', '"')));
    const stream = `${path} ${memberOf(body, '"id":"', '"')}`;
    const version = Number(memberOf(body, '"streamVersion":', ","));
    const last = newest.get(stream) ?? 0;
    if (version <= last) counts.repeated += 1;
    else {
      if (version !== last + 1) counts.faults += 1;
      newest.set(stream, version);
    }
  };
  const server = createServer({ noDelay: true }, (socket) => {
    socket.on("error", () => socket.destroy());
    readRequests(socket, (path, head, body) => {
      const isChallenge = head.includes("webhook-type:");
      const hostile = isChallenge ? undefined : HOSTILE[path];
      if (hostile !== undefined) return hostile(socket);
      if (path === "/ingest") return void socket.write(acknowledge(body));
      if (!isChallenge) take(path, body);
      socket.write(TAKEN);
      if (/\r\nconnection: close/i.test(head)) socket.end();
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    counts: () => ({ ...counts }),
    takeLatencies: () => {
      const taken = latenciesMs;
      latenciesMs = [];
      return taken;
    },
  };
}

function readRequests(socket: Socket, onRequest: (path: string, head: string, body: string) => void): void {
  let waiting: Buffer = Buffer.alloc(0);
  socket.on("data", (chunk: Buffer) => {
    waiting = waiting.length === 0 ? chunk : Buffer.concat([waiting, chunk]);
    for (;;) {
      const headEnd = waiting.indexOf(HEAD_END);
      if (headEnd < 0) return;
      const head = waiting.toString("latin1", 0, headEnd);
      const end = headEnd + HEAD_END.length + Number(LENGTH.exec(head)?.[1] ?? 0);
      if (waiting.length < end) return;
      const body = waiting.toString("latin1", headEnd + HEAD_END.length, end);
      waiting = waiting.subarray(end);
      onRequest(head.slice(head.indexOf(" ") + 1, head.indexOf(" HTTP/")), head, body);
    }
  });
}

function acknowledge(body: string): string {
  const results = Array.from(body.matchAll(EVENT_ID), ([, eventId]) => ({ eventId, status: "accepted" }));
  const answer = JSON.stringify({ results });
  return `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: ${answer.length}\r\n\r\n${answer}`;
}

/** The text behind a name. None of the names looked for is in the data of a sample. */
function memberOf(body: string, name: string, end: string): string {
  const from = body.indexOf(name) + name.length;
  return body.slice(from, body.indexOf(end, from));
}
