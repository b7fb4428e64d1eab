import type { Socket } from "node:net";
import { setTimeout as wait } from "node:timers/promises";
import type { Operation } from "./operation.ts";
import { exampleParts, toRequest } from "./operation.ts";
import { open, writeRequest } from "./raw-http.ts";

/** How a peer vanishes: what it sends before, and how it goes. */
interface Stage {
  readonly name: string;
  readonly vanish: (socket: Socket, request: { readonly head: Buffer; readonly body: Buffer }) => Promise<void>;
}

const HOLD_MS = 250;
const SHORT_MS = 30;
const LARGE_BYTES = 15 * 1_048_576;

const STAGES: readonly Stage[] = [
  { name: "connects and says nothing", vanish: () => wait(HOLD_MS) },
  {
    name: "half a head",
    vanish: (socket, { head }) => sendAndWait(socket, head.subarray(0, head.length / 2), HOLD_MS),
  },
  { name: "the head alone", vanish: (socket, { head }) => sendAndWait(socket, head, HOLD_MS) },
  { name: "the head alone, gone at once", vanish: (socket, { head }) => sendAndWait(socket, head, 0) },
  { name: "declares 15 MiB", vanish: (socket, { head }) => sendAndWait(socket, declare(head, LARGE_BYTES), HOLD_MS) },
  {
    name: "declares 15 MiB, gone at once",
    vanish: (socket, { head }) => sendAndWait(socket, declare(head, LARGE_BYTES), 0),
  },
  {
    name: "half a body",
    vanish: (socket, { head, body }) =>
      sendAndWait(socket, Buffer.concat([head, body.subarray(0, body.length / 2)]), SHORT_MS),
  },
  {
    name: "a chunk of a body",
    vanish: (socket, { head }) => sendAndWait(socket, Buffer.concat([chunked(head), CHUNK]), SHORT_MS),
  },
  {
    name: "2 MiB of a body in chunks",
    vanish: (socket, { head }) =>
      sendAndWait(socket, Buffer.concat([chunked(head), ...Array<Buffer>(32).fill(LARGE_CHUNK)]), SHORT_MS),
  },
  {
    name: "chunks, gone at once",
    vanish: (socket, { head }) => sendAndWait(socket, Buffer.concat([chunked(head), CHUNK]), 0),
  },
  {
    name: "asks and is gone at once",
    vanish: (socket, { head, body }) => sendAndWait(socket, Buffer.concat([head, body]), 0),
  },
  {
    name: "asks and is gone soon",
    vanish: (socket, { head, body }) => sendAndWait(socket, Buffer.concat([head, body]), 3),
  },
  {
    name: "gone with the first byte of the answer",
    vanish: async (socket, { head, body }) => {
      const first = new Promise((resolve) => socket.once("data", resolve));
      socket.write(Buffer.concat([head, body]));
      await Promise.race([first, wait(HOLD_MS * 5)]);
    },
  },
  {
    name: "never reads",
    vanish: async (socket, { head, body }) => {
      socket.pause();
      const keepAlive = Buffer.from(
        head.toString("latin1").replace("Connection: close", "Connection: keep-alive"),
        "latin1",
      );
      await sendAndWait(socket, Buffer.concat(Array<Buffer>(20).fill(Buffer.concat([keepAlive, body]))), HOLD_MS);
    },
  },
];
const CHUNK = Buffer.from('9\r\n{"query":\r\n');
const LARGE_CHUNK = Buffer.from(`10000\r\n${" ".repeat(65_536)}\r\n`);

/**
 * Lets `atOnce` peers vanish at each stage of a request. In: `credential`, the headers of the caller.
 *
 * `meanwhile` is called at each stage while the peers are connected and have sent what they send. Refuses: never.
 */
export async function vanishAtEachStage(
  operation: Operation,
  given: { readonly credential: Readonly<Record<string, string>>; readonly atOnce: number },
  meanwhile: (stage: string) => Promise<void>,
): Promise<void> {
  const example = toRequest(operation, exampleParts(operation));
  const request = { ...example, headers: [...example.headers, ...Object.entries(given.credential)] };
  const bytes = writeRequest(operation.origin, request);
  const headEnd = bytes.indexOf("\r\n\r\n") + 4;
  const parts = { head: bytes.subarray(0, headEnd), body: bytes.subarray(headEnd) };
  for (const { name, vanish } of STAGES) {
    const peers = Array.from({ length: given.atOnce }, async () => {
      const socket = open(operation.origin);
      await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
      await vanish(socket, parts);
      socket.resetAndDestroy();
    });
    await Promise.all([...peers, wait(SHORT_MS).then(() => meanwhile(name))]);
  }
}

async function sendAndWait(socket: Socket, bytes: Buffer, forMs: number): Promise<void> {
  const sent = new Promise<void>((resolve) => {
    socket.write(bytes, () => resolve());
    socket.once("close", () => resolve());
  });
  // A server that reads no more lets nothing more be sent.
  await Promise.race([sent, wait(HOLD_MS)]);
  if (forMs > 0) await wait(forMs);
}

function declare(head: Buffer, lengthBytes: number): Buffer {
  return withLength(head, `Content-Length: ${lengthBytes}`);
}

function chunked(head: Buffer): Buffer {
  return withLength(head, "Transfer-Encoding: chunked");
}

function withLength(head: Buffer, line: string): Buffer {
  const lines = head
    .toString("latin1")
    .split("\r\n")
    .filter((other) => !/^content-length:/i.test(other));
  return Buffer.from([lines[0], line, ...lines.slice(1)].join("\r\n"), "latin1");
}
