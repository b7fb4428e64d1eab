import { refusal } from "../errors.ts";
import { isMediaType } from "./media-type.ts";
import { isStorable } from "./payload.ts";

/** The input of an upload, as GraphQL has it. */
export interface UploadFileInput {
  readonly filename: string;
  readonly contentType: string;
  readonly content: string;
  readonly acl?: readonly string[] | null;
  readonly _acl?: unknown;
}

/** The parsed input: a name and a media type within their limits, and the bytes. */
export interface ReadFileInput {
  readonly filename: string;
  readonly contentType: string;
  readonly bytes: Uint8Array;
}

const MAX_BYTES = 10 * 1_048_576;
const MAX_NAME_CHARACTERS = 255;
const DATA_URI_HEAD = /^data:[^,]{0,255};base64,/i;

/**
 * Reads the file of an upload. The name is stored unchanged, since it is never used as a path and is made safe when it
 * is sent.
 *
 * In: `content` in base64 with its padding, bare or behind the head of a `data:` URI, whose media type is not looked
 * at.
 * Refuses: INVALID_TEXT, BAD_USER_INPUT, INVALID_CONTENT, FILE_TOO_LARGE (10 MiB decoded). Source: decisions P9, V15.
 */
export function readFileInput({ filename, contentType, content }: UploadFileInput): ReadFileInput {
  assertFilename(filename);
  if (!isMediaType(contentType)) {
    throw refusal(
      "BAD_USER_INPUT",
      "A contentType is a media type such as image/png, at most 255 characters.",
      "contentType",
    );
  }
  return { filename, contentType, bytes: readContent(content) };
}

function assertFilename(filename: string): void {
  if (!isStorable(filename)) {
    throw refusal("INVALID_TEXT", "The filename holds U+0000 or an unpaired surrogate; remove it.", "filename");
  }
  if (filename === "" || filename.length > MAX_NAME_CHARACTERS || /\p{Cc}/u.test(filename)) {
    const message = `A filename has 1 to ${MAX_NAME_CHARACTERS} characters and no control characters.`;
    throw refusal("BAD_USER_INPUT", message, "filename");
  }
}

function readContent(content: string): Uint8Array {
  const base64 = content.slice(DATA_URI_HEAD.exec(content.slice(0, 300))?.[0].length ?? 0);
  if (Math.floor((base64.length * 3) / 4) - 2 > MAX_BYTES) throw tooLarge();
  const bytes = Buffer.from(base64, "base64");
  // Decoding skips characters outside the alphabet, so only text that encodes back to itself is accepted.
  if (bytes.toString("base64") !== base64) {
    const message = "The content is not strict base64: the standard alphabet, its padding, and nothing else.";
    throw refusal("INVALID_CONTENT", message, "content");
  }
  if (bytes.length > MAX_BYTES) throw tooLarge();
  return bytes;
}

function tooLarge() {
  return refusal("FILE_TOO_LARGE", `A file has at most ${MAX_BYTES} bytes; split it or keep it elsewhere.`, "content");
}
