/** The largest body of a webhook, in bytes. Source: decision P9. */
export const MAX_BODY_BYTES = 2_097_152;

/**
 * Reads the bytes of a request's body.
 *
 * Out: undefined when there are more than MAX_BODY_BYTES; the rest is then not read.
 * Refuses: the stream's error, when the sender disconnects.
 */
export async function readBoundedBody(request: Request): Promise<Uint8Array<ArrayBuffer> | undefined> {
  if (Number(request.headers.get("content-length") ?? 0) > MAX_BODY_BYTES) return undefined;
  if (request.body === null) return new Uint8Array();
  const reader: ReadableStreamDefaultReader<Uint8Array> = request.body.getReader();
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for (let part = await reader.read(); !part.done; part = await reader.read()) {
    sizeBytes += part.value.length;
    if (sizeBytes > MAX_BODY_BYTES) {
      await reader.cancel();
      return undefined;
    }
    parts.push(part.value);
  }
  return joinBytes(parts, sizeBytes);
}

function joinBytes(parts: readonly Uint8Array[], sizeBytes: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(sizeBytes);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
}
