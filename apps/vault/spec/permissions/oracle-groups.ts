import { inEvery, type Verdict, verdictOf } from "./verdict.ts";
import {
  MANIFESTS,
  normal,
  type Party,
  type Payload,
  type StoredRecord,
  type StoredVersion,
  type World,
} from "./world.ts";

const MEMBER_FIELDS = ["members", "memberIds", "participants", "participantIds", "admins", "owner"];

/** Is this a manifest of that group? Source: decision V23. */
function isManifestOf(group: string, record: { readonly ontology: string; readonly payload: Payload }): boolean {
  if (!MANIFESTS.includes(record.ontology)) return false;
  return [record.payload["eName"], record.payload["ename"]].some((name) => normal(name) === group);
}

/** The eNames that a payload lists as members. Source: decision V23. */
function listed(payload: Payload): readonly string[] {
  return MEMBER_FIELDS.flatMap((field) => payload[field] ?? []).map(normal);
}

/** Whether a group holds one of the identities: for a grant to it, and for a denial of it. Source: decision V23. */
export function membership(
  world: World,
  group: string,
  identities: readonly string[],
): { readonly grants: Verdict; readonly denials: Verdict } {
  const party = world.parties.get(group);
  if (party === undefined || party.name === "ghost") return { grants: "no", denials: "no" };
  if (!party.hasVault) return { grants: "no", denials: "yes" };
  const holds = (payload: Payload) => listed(payload).some((name) => identities.includes(name));
  const records = [...party.records.values()].filter(({ quarantined }) => !quarantined);
  const wasManifest = (version: StoredVersion) => version.operation !== "delete" && isManifestOf(group, version);
  const touching = records.filter((record) => record.versions.some(wasManifest)).flatMap(({ versions }) => versions);
  const everListed = touching.some((version) => wasManifest(version) && holds(version.payload));
  if (party.keys.length === 0) return { grants: "no", denials: verdictOf(everListed) };
  const manifests = records.filter((record) => !record.removed && isManifestOf(group, record));
  const now = inEvery(newests(manifests).map((record) => verdictOf(record !== undefined && holds(record.payload))));
  if (touching.every(({ byOwner }) => byOwner)) return { grants: now, denials: now };
  // Versions of others: they give no grant, and what they say of a denial may or may not be superseded.
  const saidByOwner = touching.some(({ byOwner, said }) => byOwner && holds(said));
  const denials = everListed ? (now === "yes" ? "yes" : "unclear") : "no";
  return { grants: saidByOwner ? "unclear" : "no", denials };
}

/** The newest in each sense that the word may have: the last created, and the last written. */
export function newests(records: readonly StoredRecord[]): readonly (StoredRecord | undefined)[] {
  const byPlace = records.toSorted((a, b) => a.place - b.place).at(-1);
  const written = ({ versions }: StoredRecord) => versions.at(-1)?.order ?? 0;
  return [byPlace, records.toSorted((a, b) => written(a) - written(b)).at(-1)];
}

/** Is the record a self-manifest of the vault it lies in? Source: decision V23. */
export function isSelfManifest(
  party: Party,
  record: { readonly ontology: string; readonly payload: Payload },
): boolean {
  return isManifestOf(party.ename, record);
}
