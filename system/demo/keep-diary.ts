import type { VaultSession } from "../vault-session.ts";

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

const UPDATE = `mutation($id: ID!, $input: MetaEnvelopeInput!) {
  updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { parsed } errors { code } }
}`;
const REMOVE = "mutation($id: ID!) { removeMetaEnvelope(id: $id) { success errors { code } } }";
const READ = "query($id: ID!) { metaEnvelope(id: $id) { parsed } }";
const COUNT = "{ metaEnvelopes(first: 1) { totalCount } }";
const HISTORY = `query($id: ID!) {
  metaEnvelopeHistory(id: $id) { edges { node { version operation parsed author } } }
}`;

interface Version {
  readonly version: number;
  readonly operation: string;
  readonly parsed: { readonly mood?: string } | null;
  readonly author: string | null;
}

/**
 * Writes a diary into a person's own vault, every write with that wallet's signature: writes entries, changes some,
 * removes some, and checks what is left and the history.
 *
 * In: `owner` is the author that versions must name. Out: differences between the vault and the diary.
 * Refuses: whatever the session refuses. Source: S1 "States and transitions".
 */
export async function keepDiary(session: VaultSession, owner: string): Promise<DiaryOutcome> {
  const ids: string[] = [];
  for (let day = 1; day <= ENTRIES; day++) {
    const payload = { day, text: `Day ${day} at sea, wind from the west.`, mood: "calm" };
    ids.push(await session.create({ ontology: ONTOLOGY, payload }));
  }
  const [first = ""] = ids;
  const changes = [...ids.slice(0, UPDATED).map((id) => ({ id, mood: "cheerful" })), { id: first, mood: "tired" }];
  for (const { id, mood } of changes) {
    await session.ask(UPDATE, { id, input: { ontology: ONTOLOGY, payload: { mood } } });
  }
  const gone = ids.slice(-REMOVED);
  for (const id of gone) await session.ask(REMOVE, { id });
  const versions = await readHistory(session, first);
  return {
    created: ENTRIES,
    updated: changes.length,
    removed: REMOVED,
    history: versions.map(({ version, operation, parsed }) => `${version} ${operation} (${parsed?.mood})`),
    faults: await findFaults(session, { versions, gone, owner }),
  };
}

async function readHistory(session: VaultSession, id: string): Promise<readonly Version[]> {
  type History = { readonly metaEnvelopeHistory: { readonly edges: readonly { readonly node: Version }[] } };
  const { metaEnvelopeHistory } = await session.ask<History>(HISTORY, { id });
  return metaEnvelopeHistory.edges.map(({ node }) => node);
}

async function findFaults(
  session: VaultSession,
  seen: { readonly versions: readonly Version[]; readonly gone: readonly string[]; readonly owner: string },
): Promise<readonly string[]> {
  const { versions, gone, owner } = seen;
  const history = versions
    .map(({ version, operation, parsed }) => `${version} ${operation} ${parsed?.mood}`)
    .join(", ");
  const { metaEnvelopes } = await session.ask<{ metaEnvelopes: { totalCount: number } }>(COUNT);
  const removed = await Promise.all(gone.map((id) => session.ask<{ metaEnvelope: unknown }>(READ, { id })));
  const [last] = await readHistory(session, gone[0] ?? "");
  return [
    history !== "3 update tired, 2 update cheerful, 1 create calm" && `the history is ${history}`,
    versions.some(({ author }) => author !== owner) && "a version names another author",
    metaEnvelopes.totalCount !== ENTRIES - REMOVED && `${metaEnvelopes.totalCount} entries are left`,
    removed.some(({ metaEnvelope }) => metaEnvelope !== null) && "a removed entry is still read",
    last?.operation !== "delete" && "the removal is not in the history",
  ].filter((fault) => fault !== false);
}
