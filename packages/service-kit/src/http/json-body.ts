import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import type { BodyHold } from "./body-pool.ts";
import { createJsonScan, type JsonScan } from "./json-scan.ts";
import { rememberJsonSource } from "./json-source.ts";
import { markLossyNumbers } from "./lossy-numbers.ts";
import { Refusal } from "./refusal.ts";

/** The limits of a body: its length, its time to arrive, and the pool that counts its bytes. */
export interface BodyBounds {
  readonly limitBytes: number;
  /** The number of objects, arrays and members that a body of any length may contain; 60,000 when absent. */
  readonly baseValues?: number;
  readonly arriveWithinMs: number;
  readonly hold: BodyHold;
}

/** A body that was received but not parsed. */
export interface ArrivedBody {
  readonly sizeBytes: number;
  /**
   * Out: the value; numbers that a double cannot represent are marked (see `markLossyNumbers`). Refuses: BAD_REQUEST
   * (400).
   */
  readonly parse: () => unknown;
}

/**
 * Receives a request's body within its limits. Bytes that are not UTF-8, and text that is not JSON, including a byte
 * order mark, are refused when the body is parsed.
 *
 * Refuses: PAYLOAD_TOO_LARGE (413) once a limit is exceeded, without reading the rest; REQUEST_TIMEOUT (408), BUSY
 * (503), BAD_REQUEST (400) for an incomplete body. Source: decisions P9, V2, V7, V25; RFC 8259.
 */
export async function collectJsonBody(body: Readable, bounds: BodyBounds): Promise<ArrivedBody> {
  const scan = createJsonScan(bounds.baseValues);
  const bytes = await collect(body, scan, bounds);
  return { sizeBytes: bytes.length, parse: () => parseJson(decode(bytes), scan) };
}

// With events: an asynchronous iterator would be the largest cost of reading a small request.
function collect(body: Readable, scan: JsonScan, { limitBytes, arriveWithinMs, hold }: BodyBounds): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  function onData(chunk: Buffer): void {
    try {
      sizeBytes += chunk.length;
      if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
      hold.take(chunk.length);
      scan.push(chunk);
      chunks.push(chunk);
    } catch (error) {
      stop(error as Error);
    }
  }
  function stop(error: Error): void {
    clearTimeout(timer);
    body.off("data", onData).pause();
    chunks.length = 0;
    hold.release();
    reject(error);
  }
  const timer = setTimeout(() => stop(tooSlow(arriveWithinMs)), arriveWithinMs);
  body.on("data", onData);
  body.on("end", () => {
    clearTimeout(timer);
    resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks));
  });
  body.on("error", () => stop(brokeOff()));
  body.on("close", () => {
    if (!body.readableEnded) stop(brokeOff());
  });
  // Its close event preceded this listener when the peer disconnected during the identification of its caller.
  if (body.destroyed && !body.readableEnded) stop(brokeOff());
  return promise;
}

function brokeOff(): Refusal {
  return new Refusal("BAD_REQUEST", "The request body broke off.", { status: 400 });
}

function tooSlow(arriveWithinMs: number): Refusal {
  const message = `The request body did not arrive within ${arriveWithinMs / 1000} s; send the request again.`;
  return new Refusal("REQUEST_TIMEOUT", message, { status: 408 });
}

function tooLarge(limitBytes: number): Refusal {
  const limit = limitBytes >= 1_048_576 ? `${limitBytes / 1_048_576} MiB` : `${limitBytes / 1024} KiB`;
  return new Refusal("PAYLOAD_TOO_LARGE", `The request body is larger than ${limit}; send less at once.`, {
    status: 413,
  });
}

function decode(bytes: Buffer): string {
  if (isUtf8(bytes)) return bytes.toString("utf8");
  throw new Refusal("BAD_REQUEST", "The request body is not valid UTF-8.", { status: 400 });
}

function parseJson(text: string, scan: JsonScan): unknown {
  try {
    const value: unknown = JSON.parse(scan.hasSuspiciousNumber() ? markLossyNumbers(text) : text);
    rememberJsonSource(value, text);
    return value;
  } catch {
    throw new Refusal("BAD_REQUEST", "The request body is not valid JSON.", { status: 400 });
  }
}
