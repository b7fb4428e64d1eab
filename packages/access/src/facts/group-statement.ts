import { type EName, parseEName } from "@dataspace/protocol/ename";
import type { JsonObject, JsonValue } from "@dataspace/protocol/meta-envelope";

type Payload = JsonObject;

const MANIFEST_ONTOLOGIES: ReadonlySet<string> = new Set([
  "a8bfb7cf-3200-4b25-9ea9-ee41100f212e",
  "550e8400-e29b-41d4-a716-446655440003",
]);
const MEMBER_FIELDS = ["members", "memberIds", "participants", "participantIds", "admins", "owner"] as const;
const MOST_NAMES = 30_000;

/** ENames by the member field that contains them. */
type NamesByField = Readonly<Partial<Record<string, readonly EName[]>>>;

/**
 * What one version of a self-manifest states about the members of its vault's owner, a group.
 *
 * `byOwner`: the owner wrote this version; only then it gives grants. `granted`: the members that the owner wrote.
 * `denied`: the eNames that a denial of the group binds; null for everybody, where they are too many to list.
 * Source: decision V23.
 */
export interface GroupStatement {
  readonly byOwner: boolean;
  readonly granted: NamesByField;
  readonly denied: NamesByField | null;
}

/** One write of a record that is, or was, a self-manifest. */
export interface ManifestWrite {
  readonly byOwner: boolean;
  readonly payload: Payload;
  /** Whether the record is an active self-manifest afterwards. */
  readonly isManifest: boolean;
  /** The fields in this write; undefined: all. */
  readonly written: readonly string[] | undefined;
}

/**
 * Checks whether a record states the members of the vault's owner: one of the two manifest ontologies, with the owner's
 * eName as `eName` or `ename`.
 *
 * Refuses: never. Source: decision V23.
 */
export function isSelfManifest(owner: EName, ontology: string, payload: () => Payload): boolean {
  if (!MANIFEST_ONTOLOGIES.has(ontology)) return false;
  const { eName, ename } = payload();
  return [eName, ename].some((value) => toENames(value).includes(owner));
}

/**
 * Computes what a write changes about a group. A field that the owner writes counts as written. In any other field,
 * grants count the members that the owner wrote before and nobody removed since, and denials bind everybody that they
 * bound before.
 *
 * Out: undefined where the owner ends the manifest: the record then states nothing about members. Refuses: never.
 * Source: decision V23.
 */
export function nextGroupStatement(
  before: GroupStatement | undefined,
  write: ManifestWrite,
): GroupStatement | undefined {
  const { byOwner, payload, isManifest, written } = write;
  if (byOwner && !isManifest) return undefined;
  const granted: Record<string, readonly EName[]> = {};
  const denied: Record<string, readonly EName[]> = {};
  let isWhole = true;
  for (const field of MEMBER_FIELDS) {
    const named = isManifest ? readNames(payload[field]) : [];
    const isOwners = byOwner && (written === undefined || written.includes(field));
    const [grantedBefore, deniedBefore] = [before?.granted[field] ?? [], before?.denied?.[field] ?? []];
    granted[field] = isOwners ? named : isManifest ? intersection(grantedBefore, named) : grantedBefore;
    denied[field] = isOwners ? named : [...new Set([...deniedBefore, ...named])];
    isWhole &&= isOwners;
  }
  const isForEverybody = (before?.denied === null && !isWhole) || namesOf(denied).length > MOST_NAMES;
  return { byOwner, granted, denied: isForEverybody ? null : denied };
}

/** The eNames of all fields together, each once. Refuses: never. */
export function namesOf(names: NamesByField): readonly EName[] {
  return [...new Set(Object.values(names).flatMap((some) => some ?? []))];
}

function readNames(value: JsonValue | undefined): readonly EName[] {
  return [...new Set((Array.isArray(value) ? value : [value]).flatMap(toENames))];
}

function toENames(value: JsonValue | JsonObject | undefined): readonly EName[] {
  try {
    return [parseEName(value as string)];
  } catch {
    return [];
  }
}

function intersection(some: readonly EName[], others: readonly EName[]): readonly EName[] {
  const among = new Set(others);
  return some.filter((ename) => among.has(ename));
}
