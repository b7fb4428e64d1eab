import { type LoginRefusal, malformedAnswer } from "./login-refusals.ts";

const MOST_BYTES = 16_384;
/** Read and thrown away, so that a client that still sends gets its answer. A longer body is cut off. */
const MOST_DISCARDED_BYTES = 1_048_576;
const TOO_LARGE: LoginRefusal = {
  status: 413,
  code: "PAYLOAD_TOO_LARGE",
  message: "A wallet's answer has at most 16 KiB.",
};

/** Reads a request's body as JSON, at most 16 KiB of it. Out: the value, or the refusal. Refuses: never. */
export async function readBoundedJson(
  request: Request,
): Promise<{ readonly json: unknown } | { readonly refusal: LoginRefusal }> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  try {
    for await (const part of request.body ?? []) {
      sizeBytes += part.byteLength;
      if (sizeBytes > MOST_DISCARDED_BYTES) break;
      if (sizeBytes > MOST_BYTES) parts.length = 0;
      else parts.push(part);
    }
    if (sizeBytes > MOST_BYTES) return { refusal: { ...TOO_LARGE, closes: sizeBytes > MOST_DISCARDED_BYTES } };
    return { json: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    return { refusal: malformedAnswer("Send a JSON object with ename, session and signature.") };
  }
}
