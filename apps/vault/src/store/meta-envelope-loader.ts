import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { StoredMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { findMetaEnvelopes } from "./meta-envelope-rows.ts";

/** Finds a MetaEnvelope of an owner by its id, active or removed. Rejects with the database's error. */
export type LoadMetaEnvelope = (owner: EName, id: string) => Promise<StoredMetaEnvelope | undefined>;

/** The ids of one owner's next statement, and who waits for it. */
interface Batch {
  readonly ids: string[];
  readonly found: Promise<ReadonlyMap<string, StoredMetaEnvelope>>;
}

const MOST_IDS = 100;

/**
 * Makes the look-up of single MetaEnvelopes for reading. All look-ups for one owner in the same turn of the event loop,
 * by one request or by many, share one statement. Nobody waits longer than that turn.
 *
 * The guard still decides for each asker separately.
 */
export function createMetaEnvelopeLoader(database: Queryable): LoadMetaEnvelope {
  const gathering = new Map<EName, Batch>();
  function startBatch(owner: EName): Batch {
    const ids: string[] = [];
    const { promise: turnEnds, resolve } = Promise.withResolvers<void>();
    setImmediate(resolve);
    const found = turnEnds.then(() => {
      if (gathering.get(owner)?.ids === ids) gathering.delete(owner);
      return findMetaEnvelopes(database, owner, ids);
    });
    const batch = { ids, found };
    gathering.set(owner, batch);
    return batch;
  }
  return async (owner, id) => {
    const open = gathering.get(owner);
    const batch = open === undefined || open.ids.length >= MOST_IDS ? startBatch(owner) : open;
    batch.ids.push(id);
    return (await batch.found).get(id);
  };
}
