import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { createMappings, type MappingDocument } from "./mapping/create-mappings.ts";
import type { Mappings } from "./mapping/mapping.ts";
import { InvalidMappings, type MappingFault } from "./mapping/mapping-fault.ts";

const MAX_FILE_BYTES = 1_048_576;

/**
 * Reads the mappings of a platform from the `.json` files of a directory, in the order of their names.
 *
 * Refuses: InvalidMappings, with the line and column of what is not JSON; the file system's errors. Source: S3 "Mapping config".
 */
export async function loadMappings(directory: string): Promise<Mappings> {
  const names = (await readdir(directory)).filter((name) => name.endsWith(".json")).sort();
  const read = await Promise.all(names.map((name) => readDocument(path.join(directory, name))));
  const faults = read.flatMap((one) => ("fault" in one ? [one.fault] : []));
  if (faults.length > 0) throw new InvalidMappings(faults);
  return createMappings(read as readonly MappingDocument[]);
}

async function readDocument(file: string): Promise<MappingDocument | { readonly fault: MappingFault }> {
  const text = await readFile(file, "utf8");
  const place = { file, key: "", column: 1 };
  if (text.length > MAX_FILE_BYTES) {
    return { fault: { ...place, code: "TOO_LARGE", message: `A mapping file has at most ${MAX_FILE_BYTES} bytes.` } };
  }
  try {
    return { file, document: JSON.parse(text) };
  } catch (error) {
    const before = text.slice(0, findPosition(text, (error as Error).message)).split("\n");
    const column = (before.at(-1)?.length ?? 0) + 1;
    const message = `This is not JSON, from line ${before.length}, column ${column}.`;
    return { fault: { ...place, code: "INVALID_JSON", key: `line ${before.length}`, column, message } };
  }
}

/** V8 names a position, or shows the text around the token, with ten characters before it where more were cut off. */
const POSITION = /at position (\d{1,9})/;
const EXCERPT_BEFORE_CHARS = 10;

function findPosition(text: string, message: string): number {
  const position = POSITION.exec(message)?.[1];
  if (position !== undefined) return Number(position);
  const [from, to] = [message.indexOf('"'), message.lastIndexOf('"')];
  const isCut = message.slice(0, from).endsWith("...");
  const at = from < 0 || from === to ? -1 : text.indexOf(message.slice(from + 1, to));
  if (at < 0) return text.length;
  return isCut ? at + EXCERPT_BEFORE_CHARS : Math.max(0, text.indexOf(message.charAt(message.indexOf("'") + 1)));
}
