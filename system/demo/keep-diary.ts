import type { VaultClient } from "@dataspace/vault-client/vault-client";
import type { MetaEnvelopeVersion } from "@dataspace/vault-client/vault-schema";

/** The result of the diary, and its faults. */
export interface DiaryOutcome {
  readonly created: number;
  readonly updated: number;
  readonly removed: number;
  /** The history of the first entry, newest first, such as `3 update`. */
  readonly history: readonly string[];
  readonly faults: readonly string[];
}

const ONTOLOGY = "6c1f8a3e-2f0e-4a57-9a3b-5d0c3a1e7b03";
const ENTRIES = 12;
const UPDATED = 4;
const REMOVED = 3;

/**
 * Writes a diary into a person's own vault, every write with that wallet's signature: writes entries, changes some,
 * removes some, and checks what is left and the history.
 *
 * In: the person's `vault`; the person must be the author of every version. Out: differences between the vault and the
 * diary.
 * Refuses: VaultError. Source: S1 "States and transitions".
 */
export async function keepDiary(vault: VaultClient): Promise<DiaryOutcome> {
  const ids: string[] = [];
  for (let day = 1; day <= ENTRIES; day++) {
    const payload = { day, text: `Day ${day} at sea, wind from the west.`, mood: "calm" };
    ids.push((await vault.create({ ontology: ONTOLOGY, payload })).id);
  }
  const [first = ""] = ids;
  const changes = [...ids.slice(0, UPDATED).map((id) => ({ id, mood: "cheerful" })), { id: first, mood: "tired" }];
  for (const { id, mood } of changes) await vault.update(id, { ontology: ONTOLOGY, payload: { mood } });
  const gone = ids.slice(-REMOVED);
  for (const id of gone) await vault.remove(id);
  const versions = await readHistory(vault, first);
  return {
    created: ENTRIES,
    updated: changes.length,
    removed: REMOVED,
    history: versions.map((version) => `${version.version} ${version.operation} (${moodOf(version)})`),
    faults: await findFaults(vault, { versions, gone }),
  };
}

async function readHistory(vault: VaultClient, id: string): Promise<readonly MetaEnvelopeVersion[]> {
  const versions: MetaEnvelopeVersion[] = [];
  for await (const version of vault.history(id)) versions.push(version);
  return versions;
}

function moodOf({ parsed }: MetaEnvelopeVersion): string | undefined {
  return (parsed as { readonly mood?: string } | null)?.mood;
}

async function findFaults(
  vault: VaultClient,
  seen: { readonly versions: readonly MetaEnvelopeVersion[]; readonly gone: readonly string[] },
): Promise<readonly string[]> {
  const { versions, gone } = seen;
  const written = versions.map((version) => `${version.version} ${version.operation} ${moodOf(version)}`).join(", ");
  const left = await vault.count();
  const removed = await Promise.all(gone.map((id) => vault.get(id)));
  const [last] = await readHistory(vault, gone[0] ?? "");
  return [
    written !== "3 update tired, 2 update cheerful, 1 create calm" && `the history is ${written}`,
    versions.some(({ author }) => author !== vault.owner) && "a version names another author",
    left !== ENTRIES - REMOVED && `${left} entries are left`,
    removed.some((record) => record !== null) && "a removed entry is still read",
    last?.operation !== "delete" && "the removal is not in the history",
  ].filter((fault) => fault !== false);
}
