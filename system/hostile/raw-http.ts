import { connect, type Socket } from "node:net";

/** Bytes that go out on a connection of their own. */
export interface RawRequest {
  readonly method: string;
  /** Path and query, as they are sent. */
  readonly target: string;
  /** In the order in which they are sent; a name may come twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | undefined;
}

/** What came back: an answer, or how the connection ended without one. */
export type RawAnswer =
  | { readonly status: number; readonly headers: Readonly<Record<string, string>>; readonly body: Buffer }
  | { readonly status: 0; readonly end: "closed" | "timeout" | "refused" };

const MOST_ANSWER_BYTES = 80 * 1_048_576;
const HEAD_END = Buffer.from("\r\n\r\n");

/** Writes a request as bytes. `Host`, `Connection: close` and `Content-Length` are added unless the request names them. Refuses: never. */
export function writeRequest(origin: string, { method, target, headers, body }: RawRequest): Buffer {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const added: (readonly [string, string])[] = [];
  if (!names.has("host")) added.push(["Host", new URL(origin).host]);
  if (!names.has("connection")) added.push(["Connection", "close"]);
  if (body !== undefined && !names.has("content-length") && !names.has("transfer-encoding")) {
    added.push(["Content-Length", String(body.length)]);
  }
  const lines = [...added, ...headers].map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([
    Buffer.from(`${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n`, "utf8"),
    body ?? Buffer.alloc(0),
  ]);
}

/** Opens a connection. Out: a socket whose errors are listened to. Refuses: never; a connection that is refused closes. */
export function open(origin: string): Socket {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port) });
  socket.on("error", () => undefined);
  return socket;
}

/** Sends bytes on a connection of their own and reads what comes back until the other side ends. Refuses: never. */
export function exchange(origin: string, bytes: Buffer, timeoutMs: number): Promise<RawAnswer> {
  return new Promise((resolve) => {
    const socket = open(origin);
    const chunks: Buffer[] = [];
    let sizeBytes = 0;
    let wasConnected = false;
    const settle = (end: "closed" | "timeout" | "refused"): void => {
      clearTimeout(late);
      socket.destroy();
      resolve(readAnswer(Buffer.concat(chunks)) ?? { status: 0, end });
    };
    const late = setTimeout(() => settle("timeout"), timeoutMs);
    socket.once("connect", () => {
      wasConnected = true;
      socket.write(bytes);
    });
    socket.on("data", (chunk: Buffer) => {
      sizeBytes += chunk.length;
      if (sizeBytes <= MOST_ANSWER_BYTES) chunks.push(chunk);
      // An answer that is complete is not waited for any longer: some are sent while the request's body still arrives.
      if (sizeBytes < 65_536 && isComplete(Buffer.concat(chunks))) settle("closed");
    });
    socket.once("close", () => settle(wasConnected ? "closed" : "refused"));
  });
}

function isComplete(bytes: Buffer): boolean {
  const answer = readAnswer(bytes);
  if (answer === undefined || answer.status < 200) return false;
  const length = (answer as { headers: Readonly<Record<string, string>> }).headers["content-length"];
  return length !== undefined && (answer as { body: Buffer }).body.length >= Number(length);
}

function readAnswer(bytes: Buffer): RawAnswer | undefined {
  const end = bytes.indexOf(HEAD_END);
  if (end < 0) return undefined;
  const [first = "", ...lines] = bytes.subarray(0, end).toString("latin1").split("\r\n");
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(first)?.[1] ?? 0);
  const rest = bytes.subarray(end + HEAD_END.length);
  if (status === 100) return readAnswer(rest);
  const headers: Record<string, string> = {};
  for (const line of lines) {
    const colon = line.indexOf(":");
    headers[line.slice(0, colon).toLowerCase()] = line.slice(colon + 1).trim();
  }
  if (status === 0) return undefined;
  return { status, headers, body: headers["transfer-encoding"] === "chunked" ? readChunks(rest) : rest };
}

function readChunks(bytes: Buffer): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; ) {
    const lineEnd = bytes.indexOf("\r\n", at);
    const size = lineEnd < 0 ? 0 : Number.parseInt(bytes.subarray(at, lineEnd).toString("latin1"), 16);
    if (!(size > 0)) break;
    parts.push(bytes.subarray(lineEnd + 2, lineEnd + 2 + size));
    at = lineEnd + 2 + size + 2;
  }
  return Buffer.concat(parts);
}
