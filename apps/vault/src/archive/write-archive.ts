import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { type ArchiveEntry, type ArchiveHeader, createArchiveDigests } from "./archive-format.ts";

/** Writes an archive entry by entry. Each call resolves once what is due has been taken. */
export interface ArchiveWriter {
  readonly add: (entry: ArchiveEntry) => Promise<void>;
  /** Writes the manifest, which ends the archive. */
  readonly finish: () => Promise<void>;
}

const compress = promisify(gzip);
const BLOCK_BYTES = 1_048_576;
/** A block that compresses further is stored, so that a reader may refuse a higher ratio. */
const HIGHEST_RATIO = 100;

/**
 * Starts an archive: a header line, a line for each entry, a manifest line, in gzip members of about 1 MiB each.
 *
 * In: entries come in the order of the format; `write` takes the bytes part by part, and may wait. One block and one
 * entry are in memory. Refuses: as `write` does. Source: decision V18; RFC 1952.
 */
export function startArchive(header: ArchiveHeader, write: (part: Buffer) => Promise<void>): ArchiveWriter {
  const headerText = JSON.stringify(header);
  const digests = createArchiveDigests(headerText);
  let lines = [`${headerText}\n`];
  let length = headerText.length;
  const writeBlock = async () => {
    const block = await compressBlock(lines);
    lines = [];
    length = 0;
    await write(block);
  };
  return {
    add: async (entry) => {
      digests.add(entry);
      lines.push(`["${entry.kind}",${entry.row}]\n`);
      length += entry.row.length;
      if (length >= BLOCK_BYTES) await writeBlock();
    },
    finish: async () => {
      lines.push(`${JSON.stringify({ manifest: digests.finish() })}\n`);
      await writeBlock();
    },
  };
}

async function compressBlock(lines: readonly string[]): Promise<Buffer> {
  const block = Buffer.from(lines.join(""));
  const compressed = await compress(block, { level: 6 });
  return block.length > compressed.length * HIGHEST_RATIO ? await compress(block, { level: 0 }) : compressed;
}
