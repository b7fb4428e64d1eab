import { StartupError } from "@dataspace/service-kit/startup-error";
import { createTimeOrderedIds } from "@dataspace/service-kit/time-ordered-ids";
import { erasePart } from "@dataspace/vault/leaving/erase-vault";
import { exportVault } from "@dataspace/vault/leaving/export-vault";
import { issueImportCode } from "@dataspace/vault/leaving/import-codes";
import { importVault } from "@dataspace/vault/leaving/import-vault";
import { vacuumErased } from "@dataspace/vault/leaving/vacuum-erased";
import { type VerifiedArchive, verifyArchive } from "@dataspace/vault/leaving/verify-archive";
import type { EName } from "@dataspace/protocol/ename";
import type { Outcome } from "../print-outcome.ts";
import { readParts, sizeOf, startProgress, writeWhole } from "./archive-file.ts";
import { type OperatorStorage, readEName, withOperatorStorage } from "./operator-storage.ts";

type Environment = Readonly<Record<string, string | undefined>>;

/** The options that every command has. */
export interface ArchiveOptions {
  readonly json?: boolean;
  readonly out?: string;
  readonly owner?: string;
  readonly digest?: string;
  readonly record?: string;
  readonly yes?: boolean;
  readonly rewrite?: boolean;
}

/** The file of an owner's archive, where none is named. */
export function archiveFileOf(owner: EName): string {
  return `vault-${owner.slice(1)}.dsv.gz`;
}

/** Exports a vault from the configured database, for its operator. Refuses: StartupError 78. Source: decision V18. */
export async function exportFromDatabase(
  env: Environment,
  ename: string,
  { out, json = false }: ArchiveOptions,
): Promise<Outcome> {
  const owner = readEName(ename);
  const file = out ?? archiveFileOf(owner);
  await withOperatorStorage(env, async (storage) => {
    const total = await countEntries(storage, owner);
    using progress = startProgress("exporting", total, json);
    const onEntry = () => progress.add(1);
    await writeWhole(file, async (put) => {
      if (await exportVault({ ...storage, onEntry }, owner, put)) return;
      throw new StartupError(`${owner} has no complete vault on this storage.`);
    });
  });
  return verifyFile(file, { owner, json });
}

// An estimate for the remaining time: keys and files are few.
async function countEntries({ database }: OperatorStorage, owner: EName): Promise<number> {
  const { rows } = await database.query<{ n: number }>({
    text: `select (select count(*) from change where owner = $1) + (select count(*) from meta_envelope where owner = $1) as n`,
    values: [owner],
  });
  return rows[0]?.n ?? 0;
}

/** Verifies an archive offline. Refuses: ArchiveError; StartupError 78 for the file. Source: decision V18. */
export async function verifyFile(
  file: string,
  { owner, digest, json = false }: Pick<ArchiveOptions, "owner" | "digest" | "json">,
): Promise<Outcome> {
  using progress = startProgress("verifying", await sizeOf(file), json);
  const expected = { owner: owner === undefined ? undefined : readEName(owner), digest };
  return toOutcome(file, await verifyArchive(readParts(file, progress), expected));
}

function toOutcome(file: string, verified: VerifiedArchive): Outcome {
  const { owner, exportedAt, manifest, hashes, signatures, unchecked } = verified;
  const { kinds, digest } = manifest;
  const count = (kind: keyof typeof kinds) => kinds[kind].count.toLocaleString("en");
  const lines = [
    `${file} is a whole archive of ${owner}, exported at ${exportedAt}.`,
    `${count("record")} records, ${count("version")} versions, ${count("key")} keys, ${count("blob")} files.`,
    `${hashes.toLocaleString("en")} hashes of versions and ${signatures} signatures of the owner verify.`,
    ...(unchecked === 0 ? [] : [`${unchecked} signatures of others need their keys, which an archive does not have.`]),
    `Digest: ${digest}`,
  ];
  return { lines, json: { file, owner, exportedAt, digest, kinds, hashes, signatures, unchecked } };
}

/** Imports an archive into the configured database. Refuses: ArchiveError; StartupError 78. Source: decision V18. */
export async function importToDatabase(env: Environment, file: string, options: ArchiveOptions): Promise<Outcome> {
  const { json = false } = options;
  await verifyFile(file, options);
  const size = await sizeOf(file);
  return withOperatorStorage(env, async (storage) => {
    using progress = startProgress("importing", size, json);
    const { owner, manifest } = await importVault(storage, () => readParts(file, progress));
    const { count } = manifest.kinds.record;
    const lines = [
      `The vault of ${owner} is here: ${count.toLocaleString("en")} records, equal to the archive in counts and hashes.`,
      "The registry still names the vault's former address, unless its owner changes that.",
    ];
    return { lines, json: { owner, records: count, digest: manifest.digest } };
  });
}

/** Issues a code with which an owner moves a vault here. Refuses: StartupError 78. Source: decision V18. */
export async function admitOwner(env: Environment, ename: string): Promise<Outcome> {
  const owner = readEName(ename);
  const code = await withOperatorStorage(env, (storage) => issueImportCode(storage, owner));
  return { lines: [code], json: { owner, code } };
}

/**
 * Erases a vault, or one of its records, on the configured database, and lets the database give up its old rows.
 *
 * Refuses: StartupError 78, also without `--yes`. Source: decision V18.
 */
export async function eraseInDatabase(env: Environment, ename: string, options: ArchiveOptions): Promise<Outcome> {
  const owner = readEName(ename);
  const { record: id, json = false, rewrite = false } = options;
  if (options.yes !== true) {
    throw new StartupError(`Erasing cannot be undone. Export ${owner} first if in doubt, and repeat with --yes.`);
  }
  return withOperatorStorage(env, async (storage) => {
    using progress = startProgress("erasing", await countEntries(storage, owner), json);
    const deps = { ...storage, newUuid: createTimeOrderedIds(storage.clock) };
    let erased = 0;
    for (let after: string | null = ""; after !== null; ) {
      const part = await erasePart(deps, { owner, id, after, by: null });
      if (part === undefined) throw new StartupError(`${owner} has no such vault or record on this storage.`);
      erased += part.erased;
      progress.add(part.erased);
      after = part.next;
    }
    await vacuumErased(storage.database, { rewrite });
    const lines = [
      `${erased.toLocaleString("en")} records are erased; their ids, versions and hashes stay.`,
      "The vault service tells the awareness service within 15 minutes. Backups keep copies until they expire.",
    ];
    return { lines, json: { owner, erased } };
  });
}
