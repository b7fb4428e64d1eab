import { isUtf8 } from "node:buffer";
import type { Readable } from "node:stream";
import { markLossyNumbers } from "./lossy-numbers.ts";
import { Refusal } from "./refusal.ts";

/**
 * Reads a request's body as JSON, at most `limitBytes` long.
 *
 * Out: the parsed value; numbers that a double cannot hold are marked (see `markLossyNumbers`).
 * Refuses: PAYLOAD_TOO_LARGE (413) once the limit is passed, without reading the rest; BAD_REQUEST (400) for bytes that
 * are not UTF-8 or text that is not JSON, a byte order mark included.
 * Source: decisions P9, V2, V7; RFC 8259.
 */
export async function readJsonBody(body: Readable, limitBytes: number): Promise<unknown> {
  return parseJson(decode(await collect(body, limitBytes)));
}

// By events: an asynchronous iterator costs a small request more than all the rest of its reading.
function collect(body: Readable, limitBytes: number): Promise<Buffer> {
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  function onData(chunk: Buffer): void {
    sizeBytes += chunk.length;
    if (sizeBytes <= limitBytes) {
      chunks.push(chunk);
    } else {
      body.off("data", onData).pause();
      reject(tooLarge(limitBytes));
    }
  }
  body.on("data", onData);
  body.on("end", () => resolve(chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks)));
  body.on("error", () => reject(brokeOff()));
  body.on("close", () => {
    if (!body.readableEnded) reject(brokeOff());
  });
  return promise;
}

function brokeOff(): Refusal {
  return new Refusal("BAD_REQUEST", "The request body broke off.", { status: 400 });
}

/** The refusal of a body that is longer than its limit. Source: decision P9. */
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

function parseJson(text: string): unknown {
  try {
    return JSON.parse(markLossyNumbers(text));
  } catch {
    throw new Refusal("BAD_REQUEST", "The request body is not valid JSON.", { status: 400 });
  }
}
