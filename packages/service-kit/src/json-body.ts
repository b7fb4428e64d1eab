import type { Readable } from "node:stream";
import { markLossyNumbers } from "./lossy-numbers.ts";
import { Refusal } from "./refusal.ts";

const UTF8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

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

async function collect(body: Readable, limitBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let sizeBytes = 0;
  for await (const chunk of body as AsyncIterable<Buffer>) {
    sizeBytes += chunk.length;
    if (sizeBytes > limitBytes) throw tooLarge(limitBytes);
    chunks.push(chunk);
  }
  return chunks.length === 1 ? (chunks[0] as Buffer) : Buffer.concat(chunks);
}

/** The refusal of a body that is longer than its limit. Source: decision P9. */
function tooLarge(limitBytes: number): Refusal {
  const limit = limitBytes >= 1_048_576 ? `${limitBytes / 1_048_576} MiB` : `${limitBytes / 1024} KiB`;
  return new Refusal("PAYLOAD_TOO_LARGE", `The request body is larger than ${limit}; send less at once.`, {
    status: 413,
  });
}

function decode(bytes: Buffer): string {
  try {
    return UTF8.decode(bytes);
  } catch {
    throw new Refusal("BAD_REQUEST", "The request body is not valid UTF-8.", { status: 400 });
  }
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(markLossyNumbers(text));
  } catch {
    throw new Refusal("BAD_REQUEST", "The request body is not valid JSON.", { status: 400 });
  }
}
