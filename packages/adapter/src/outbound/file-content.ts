import { RowFault } from "../mapping/row-fault.ts";

/** A file's bytes, ready to be stored. */
export interface FileContent {
  readonly contentType: string;
  readonly content: Uint8Array;
}

/** What a vault takes (decision P9). */
const MAX_FILE_BYTES = 10_485_760;
const DATA_URI = /^data:([\w.+-]+\/[\w.+-]+)?((?:;[\w.+-]+=[\w.+-]+)*)(;base64)?,/i;
const EXTENSIONS: ReadonlyMap<string, string> = new Map([
  ["image/png", "png"],
  ["image/jpeg", "jpg"],
  ["image/gif", "gif"],
  ["image/webp", "webp"],
  ["image/svg+xml", "svg"],
  ["application/pdf", "pdf"],
  ["text/plain", "txt"],
]);

/**
 * Reads what a row holds of a file: a data: URI, bytes, a Blob or a stream, at most 10 MiB.
 *
 * Refuses: RowFault INVALID_FILE. Source: S3 "Mapping config" (`__file`); decision P9.
 */
export async function readFileContent(value: unknown): Promise<FileContent> {
  if (typeof value === "string") return readDataUri(value);
  if (value instanceof Uint8Array) return bounded({ contentType: "application/octet-stream", content: value });
  if (value instanceof Blob) {
    if (value.size > MAX_FILE_BYTES) throw tooLarge();
    return {
      contentType: value.type || "application/octet-stream",
      content: new Uint8Array(await value.arrayBuffer()),
    };
  }
  return { contentType: "application/octet-stream", content: await readStream(value as ReadableStream<Uint8Array>) };
}

/** The name of a file by its content type. Refuses: never. */
export function fileNameOf(contentType: string): string {
  return `file.${EXTENSIONS.get(contentType) ?? "bin"}`;
}

function readDataUri(text: string): FileContent {
  const match = DATA_URI.exec(text.slice(0, 512));
  if (match === null) throw new RowFault("INVALID_FILE", "A data: URI cannot be read.");
  const [head, type = "text/plain", , base64] = match;
  if (text.length > MAX_FILE_BYTES * 3) throw tooLarge();
  const body = text.slice(head.length);
  try {
    const content = base64 ? Buffer.from(body, "base64") : Buffer.from(decodeURIComponent(body));
    return bounded({ contentType: type.toLowerCase(), content });
  } catch (error) {
    throw error instanceof RowFault ? error : new RowFault("INVALID_FILE", "A data: URI cannot be read.");
  }
}

async function readStream(stream: ReadableStream<Uint8Array>): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  let sizeBytes = 0;
  for await (const part of stream) {
    sizeBytes += part.length;
    if (sizeBytes > MAX_FILE_BYTES) throw tooLarge();
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function bounded(file: FileContent): FileContent {
  if (file.content.length > MAX_FILE_BYTES) throw tooLarge();
  return file;
}

function tooLarge(): RowFault {
  return new RowFault("INVALID_FILE", `A file has at most ${MAX_FILE_BYTES} bytes.`);
}
