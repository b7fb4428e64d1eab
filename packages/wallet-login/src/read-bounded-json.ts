import { type LoginRefusal, malformedAnswer } from "./login-refusals.ts";

const MOST_BYTES = 16_384;
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
      if (sizeBytes > MOST_BYTES) return { refusal: TOO_LARGE };
      parts.push(part);
    }
    return { json: JSON.parse(Buffer.concat(parts).toString("utf8")) };
  } catch {
    return { refusal: malformedAnswer("Send a JSON object with ename, session and signature.") };
  }
}
