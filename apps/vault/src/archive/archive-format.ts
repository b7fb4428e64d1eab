import { createHash, type Hash } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";

/** The name of the format, in the first line of every archive. */
export const ARCHIVE_FORMAT = "dataspace-vault";
/** The version that this build writes, and the newest that it reads. */
export const ARCHIVE_VERSION = 1;

/** The kinds of entries, in the order of the archive; the versions of a record come directly before it. */
export const ENTRY_KINDS = [
  "key",
  "version",
  "record",
  "group",
  "policy",
  "event",
  "access",
  "answer",
  "token",
  "file",
  "blob",
] as const;

/** A kind of entry. */
export type EntryKind = (typeof ENTRY_KINDS)[number];

/** The kinds whose rows expire, so that a vault loses them while it is imported; they are not compared. */
const EXPIRING_KINDS: ReadonlySet<EntryKind> = new Set(["access", "answer", "token"]);

/** An entry: its kind, and its row as JSON text. */
export interface ArchiveEntry {
  readonly kind: EntryKind;
  readonly row: string;
}

/** The first line. Times are ISO 8601; `minReader` is the lowest build level that may read the records. */
export interface ArchiveHeader {
  readonly format: typeof ARCHIVE_FORMAT;
  readonly formatVersion: number;
  readonly owner: EName;
  readonly vaultId: string;
  readonly createdAt: string;
  readonly exportedAt: string;
  readonly minReader: number;
  /** The move that the vault was under, read-only; null where it was not. */
  readonly moveId: string | null;
}

/** The number of entries of a kind, and the SHA-256 of their rows in hex. */
export interface KindDigest {
  readonly count: number;
  readonly sha256: string;
}

/** The last line: a digest for each kind, and one of the header and all of them. */
export interface ArchiveManifest {
  readonly kinds: Readonly<Record<EntryKind, KindDigest>>;
  readonly digest: string;
}

/** The digests of an archive while its entries pass by. */
export interface ArchiveDigests {
  readonly add: (entry: ArchiveEntry) => void;
  readonly finish: () => ArchiveManifest;
}

/** Starts the digests of an archive. In: its header's text. Refuses: never. Source: decision V18. */
export function createArchiveDigests(headerText: string): ArchiveDigests {
  const running = new Map<EntryKind, { hash: Hash; count: number }>();
  for (const kind of ENTRY_KINDS) running.set(kind, { hash: createHash("sha256"), count: 0 });
  return {
    add: ({ kind, row }) => {
      const digest = running.get(kind) as { hash: Hash; count: number };
      digest.hash.update(row).update("\n");
      digest.count += 1;
    },
    finish: () => {
      const kinds = Object.fromEntries(
        [...running].map(([kind, { hash, count }]) => [kind, { count, sha256: hash.digest("hex") }]),
      ) as Record<EntryKind, KindDigest>;
      const whole = createHash("sha256").update(`${headerText}\n${JSON.stringify(kinds)}\n`);
      return { kinds, digest: whole.digest("hex") };
    },
  };
}

/** Finds the first kind in which two manifests differ, expiring kinds apart; undefined where they agree. */
export function findDifference(expected: ArchiveManifest, found: ArchiveManifest): string | undefined {
  for (const kind of ENTRY_KINDS) {
    if (EXPIRING_KINDS.has(kind)) continue;
    const [wanted, has] = [expected.kinds[kind], found.kinds[kind]];
    if (wanted.count !== has.count) return `${has.count} of ${wanted.count} entries of kind ${kind}`;
    if (wanted.sha256 !== has.sha256) return `other content in entries of kind ${kind}`;
  }
  return undefined;
}
