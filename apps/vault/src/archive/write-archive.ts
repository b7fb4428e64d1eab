import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type ArchiveEntry, type ArchiveHeader, createArchiveDigests } from "./archive-format.ts";

const compress = promisify(gzip);
const BLOCK_BYTES = 1_048_576;
/** A block that compresses further is stored, so that a reader may refuse a higher ratio. */
const HIGHEST_RATIO = 100;

/**
 * Writes an archive: a header line, a line for each entry, a manifest line, in gzip members of about 1 MiB each.
 *
 * In: the entries in the order of the format. Out: the bytes, part by part; one block and one entry are in memory.
 * Refuses: as `entries` does. Source: decision V18; RFC 1952.
 */
export async function* writeArchive(
  header: ArchiveHeader,
  entries: AsyncIterable<ArchiveEntry>,
): AsyncGenerator<Buffer> {
  const headerText = JSON.stringify(header);
  const digests = createArchiveDigests(headerText);
  let lines = [`${headerText}\n`];
  let length = headerText.length;
  for await (const entry of entries) {
    digests.add(entry);
    lines.push(`["${entry.kind}",${entry.row}]\n`);
    length += entry.row.length;
    if (length < BLOCK_BYTES) continue;
    yield await compressBlock(lines);
    lines = [];
    length = 0;
  }
  lines.push(`${JSON.stringify({ manifest: digests.finish() })}\n`);
  yield await compressBlock(lines);
}

async function compressBlock(lines: readonly string[]): Promise<Buffer> {
  const block = Buffer.from(lines.join(""));
  const compressed = await compress(block, { level: 6 });
  return block.length > compressed.length * HIGHEST_RATIO ? await compress(block, { level: 0 }) : compressed;
}
