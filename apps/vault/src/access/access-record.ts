import { LRUCache } from "lru-cache";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Caller } from "../caller/caller.ts";
import { notePlatformAccess, type PlatformAccess } from "../store/platform-access-rows.ts";

/** Notes that a caller is about to be shown, or to write, records of some ontologies. Refuses: the database's errors. */
export type NoteAccess = (
  caller: Caller,
  action: PlatformAccess["action"],
  ontologies: Iterable<string>,
) => Promise<void>;

/** What noting needs. `newUuid` gives UUIDv7s. */
export interface AccessRecordDeps {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly newUuid: () => string;
}

const NOTED_AGAIN_MS = 60_000;
const MOST_REMEMBERED = 50_000;
const DAY_MS = 86_400_000;
const KEPT_DAYS = 400;

/**
 * Makes the record of platforms with evidence sessions: what they reach is written down before they have it, so that no access goes
 * unnoted. What was noted in the last minute, on the same day, is not written again.
 *
 * In: `domains`, the domain of every ontology that has one. Source: S3 "Platform authentication"; decision A2.
 */
export function createNoteAccess(
  { database, clock, newUuid }: AccessRecordDeps,
  { domains }: { readonly domains: ReadonlyMap<string, string> },
): NoteAccess {
  // Requests that come at once share one statement.
  const running = new Map<string, Promise<void>>();
  const notedAtMs = new LRUCache<string, number>({ max: MOST_REMEMBERED });
  return async ({ owner, claim }, action, ontologies) => {
    if (claim === undefined) return;
    const { platform, deployment, version, level, issuer, certificateId } = claim;
    const nowMs = clock.nowMs();
    const keyOf = (domain: string) => JSON.stringify([owner, issuer, certificateId, domain, action]);
    const isNoted = (domain: string) => {
      const atMs = notedAtMs.get(keyOf(domain)) ?? Number.NEGATIVE_INFINITY;
      return nowMs - atMs < NOTED_AGAIN_MS && Math.floor(atMs / DAY_MS) === Math.floor(nowMs / DAY_MS);
    };
    const touched = new Set([...ontologies].map((ontology) => domains.get(ontology)));
    const unnoted = [...touched].filter((domain) => domain !== undefined && !isNoted(domain)) as string[];
    if (unnoted.length === 0) return;
    const keys = unnoted.map(keyOf);
    const name = keys.join();
    const noting =
      running.get(name) ??
      notePlatformAccess(database, {
        ...{ owner, platform, deployment, version, level, issuer, certificateId, action },
        ids: unnoted.map(newUuid),
        domains: unnoted,
        at: new Date(nowMs).toISOString(),
        expiresAt: new Date(nowMs + KEPT_DAYS * DAY_MS).toISOString(),
      }).finally(() => running.delete(name));
    running.set(name, noting);
    await noting;
    for (const key of keys) notedAtMs.set(key, nowMs);
  };
}
