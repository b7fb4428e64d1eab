import { pipeline, Readable } from "node:stream";
import { createGunzip } from "node:zlib";
import { isEName } from "@dataspace/protocol/ename";
import { ArchiveError } from "./archive-error.ts";
import {
  ARCHIVE_FORMAT,
  ARCHIVE_VERSION,
  type ArchiveEntry,
  type ArchiveHeader,
  type ArchiveManifest,
  createArchiveDigests,
  ENTRY_KINDS,
} from "./archive-format.ts";
import { assertEntry, isWholeHeader, toManifest } from "./archive-rows.ts";

/** The bounds of reading. */
export interface ArchiveBounds {
  /** The largest size after decompression, in bytes. */
  readonly totalBytes: number;
}

/** 64 GiB: the default quota of 10 GiB, with room for files in base64 and for undelivered events. */
const DEFAULT_BOUNDS: ArchiveBounds = { totalBytes: 64 * 2 ** 30 };

/** A file of 10 MiB in base64, and what surrounds it. */
const LINE_BYTES = 15 * 1_048_576;
const HEADER_BYTES = 4_096;
/** What this build writes stays below a ratio of 100; the first bytes are not judged, since the reader reads ahead. */
const HIGHEST_RATIO = 150;
const UNJUDGED_BYTES = 16 * 1_048_576;
const NEWLINE = 10;

/** What a reader gets: the header first, then the entries, and the manifest last. */
export type ArchivePart =
  | { readonly part: "header"; readonly header: ArchiveHeader; readonly text: string }
  | { readonly part: "entry"; readonly entry: ArchiveEntry; readonly value: Readonly<Record<string, unknown>> }
  | { readonly part: "manifest"; readonly manifest: ArchiveManifest };

/**
 * Reads an archive part by part, in memory bounded by its longest line. Each entry is checked by itself; the manifest
 * is compared with everything before it.
 *
 * In: `lines` true where the source is not compressed. Refuses: ArchiveError. Source: decision V18.
 */
export async function* readArchive(
  source: AsyncIterable<Uint8Array>,
  bounds: ArchiveBounds = DEFAULT_BOUNDS,
): AsyncGenerator<ArchivePart> {
  let digests: ReturnType<typeof createArchiveDigests> | undefined;
  let number = 0;
  let ended = false;
  for await (const line of splitLines(decompress(source, bounds), () => digests === undefined)) {
    number += 1;
    if (ended) throw altered("has lines after its manifest");
    if (digests === undefined) {
      const header = readHeader(line);
      digests = createArchiveDigests(line);
      yield { part: "header", header, text: line };
    } else if (line.startsWith("[")) {
      const { entry, value } = readEntry(line, number);
      digests.add(entry);
      yield { part: "entry", entry, value };
    } else {
      const manifest = readManifest(line, number);
      const found = digests.finish();
      if (JSON.stringify(manifest) !== JSON.stringify(found)) throw altered("differs from its manifest");
      ended = true;
      yield { part: "manifest", manifest };
    }
  }
  if (digests === undefined) throw notAnArchive();
  if (!ended) throw truncated();
}

async function* decompress(source: AsyncIterable<Uint8Array>, bounds: ArchiveBounds): AsyncGenerator<Buffer> {
  let [bytesIn, bytesOut] = [0, 0];
  async function* counted(): AsyncGenerator<Uint8Array> {
    for await (const chunk of source) {
      bytesIn += chunk.length;
      yield chunk;
    }
  }
  const gunzip = createGunzip();
  pipeline(Readable.from(counted()), gunzip, () => undefined);
  try {
    for await (const chunk of gunzip as AsyncIterable<Buffer>) {
      bytesOut += chunk.length;
      if (bytesOut > bounds.totalBytes) throw tooLarge(`is larger than ${bounds.totalBytes} bytes when decompressed`);
      if (bytesOut > UNJUDGED_BYTES && bytesOut > bytesIn * HIGHEST_RATIO) {
        throw tooLarge(`expands to more than ${HIGHEST_RATIO} times its size`);
      }
      yield chunk;
    }
  } catch (error) {
    const { code } = error as { readonly code?: unknown };
    if (code === "Z_BUF_ERROR") throw bytesIn === 0 ? notAnArchive() : truncated();
    if (typeof code === "string" && code.startsWith("Z_")) {
      throw bytesOut === 0 ? notAnArchive(error) : altered("is damaged: its checksum does not match");
    }
    throw error;
  } finally {
    gunzip.destroy();
  }
}

async function* splitLines(chunks: AsyncIterable<Buffer>, isHeader: () => boolean): AsyncGenerator<string> {
  const decoder = new TextDecoder("utf-8", { fatal: true });
  let pending: Buffer[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let from = 0;
    for (let at = chunk.indexOf(NEWLINE); at >= 0; at = chunk.indexOf(NEWLINE, from)) {
      pending.push(chunk.subarray(from, at));
      yield decode(decoder, Buffer.concat(pending), isHeader());
      pending = [];
      length = 0;
      from = at + 1;
    }
    pending.push(chunk.subarray(from));
    length += chunk.length - from;
    if (length > (isHeader() ? HEADER_BYTES : LINE_BYTES)) {
      if (isHeader()) throw notAnArchive();
      throw tooLarge(`has a line of more than ${LINE_BYTES} bytes`);
    }
  }
  if (length > 0) throw truncated();
}

function decode(decoder: TextDecoder, line: Buffer, isHeader: boolean): string {
  try {
    return decoder.decode(line);
  } catch (cause) {
    if (isHeader) throw notAnArchive(cause);
    throw altered("has a line that is not UTF-8");
  }
}

/** Reads the first line of an archive. Refuses: NOT_AN_ARCHIVE, ARCHIVE_TOO_NEW, ARCHIVE_INVALID. */
export function readHeader(line: string): ArchiveHeader {
  const header = parse(line) as Partial<ArchiveHeader> | undefined;
  if (header?.format !== ARCHIVE_FORMAT || !Number.isSafeInteger(header.formatVersion)) throw notAnArchive();
  if ((header.formatVersion as number) > ARCHIVE_VERSION) {
    throw new ArchiveError(
      "ARCHIVE_TOO_NEW",
      `The archive has format version ${header.formatVersion}, and this build reads up to ${ARCHIVE_VERSION}. Update Dataspace and try again.`,
    );
  }
  const isWhole = isEName(header.owner) && isWholeHeader(header) && header.formatVersion === ARCHIVE_VERSION;
  if (!isWhole) throw invalid(1, "is not the header of this format version");
  return header as ArchiveHeader;
}

/** Reads an entry. In: its line, and the line's number for messages. Refuses: ARCHIVE_INVALID. */
export function readEntry(
  line: string,
  number: number,
): { entry: ArchiveEntry; value: Readonly<Record<string, unknown>> } {
  const kind = ENTRY_KINDS.find((name) => line.startsWith(`["${name}",{`));
  const row = kind === undefined ? "" : line.slice(kind.length + 4, -1);
  const value = line.endsWith("}]") ? parse(row) : undefined;
  if (kind === undefined || value === undefined) throw invalid(number, "is not an entry of a known kind");
  const fault = assertEntry(kind, value);
  if (fault !== undefined) throw invalid(number, `is not a valid ${kind}: ${fault}`);
  return { entry: { kind, row }, value: value as Readonly<Record<string, unknown>> };
}

function readManifest(line: string, number: number): ArchiveManifest {
  const { manifest } = (parse(line) ?? {}) as { readonly manifest?: unknown };
  const read = toManifest(manifest);
  if (read === undefined) throw invalid(number, "is neither an entry nor the manifest");
  return read;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Makes the refusal of a line. */
function invalid(number: number, why: string): ArchiveError {
  return new ArchiveError("ARCHIVE_INVALID", `Line ${number} of the archive ${why}. Export the vault again.`);
}

function altered(why: string): ArchiveError {
  return new ArchiveError("ARCHIVE_ALTERED", `The archive ${why}. Use an unchanged copy, or export the vault again.`);
}

function truncated(): ArchiveError {
  return new ArchiveError("ARCHIVE_TRUNCATED", "The archive ends before its manifest. Copy or export it again, whole.");
}

function notAnArchive(cause?: unknown): ArchiveError {
  return new ArchiveError("NOT_AN_ARCHIVE", "The file is not a vault archive. Give a file that vault export wrote.", {
    cause,
  });
}

function tooLarge(why: string): ArchiveError {
  return new ArchiveError("ARCHIVE_TOO_LARGE", `The archive ${why}. It is not read further.`);
}
