import type { Mapping } from "../mapping/mapping.ts";
import { createIntents, type Intent } from "../state/intents.ts";
import { createIdStore, type GlobalRef, type Pair } from "../state/pairs.ts";
import { releasePending } from "../state/pending.ts";
import { createReferences } from "../state/references.ts";
import { pickMapped } from "../sync/payload-fields.ts";
import type { SyncCore } from "../sync/sync.ts";

/** A record that was created for a row, and whose vaults get a reference to it. */
export interface CreatedRecord {
  readonly intent: Intent;
  readonly globalId: string;
  readonly participants: readonly string[];
}

/**
 * Joins rows of one table to the records that were created for them, in one transaction that ends their intents.
 *
 * A pair that another process saved first stays as it is. Refuses: the database's errors.
 */
export async function savePairs(sync: SyncCore, mapping: Mapping, created: readonly CreatedRecord[]): Promise<void> {
  const nowMs = sync.clock.nowMs();
  await sync.database.inTransaction(async (session) => {
    const [pairs, intents, references] = [createIdStore(session), createIntents(session), createReferences(session)];
    for (const { intent, globalId, participants } of created) {
      const { table, localId, owner } = intent;
      const there = await pairs.findByGlobal({ owner, globalId });
      if (there?.table !== table || there.localId !== localId) {
        await pairs.save(toNewPair(mapping, { ...intent, globalId }), nowMs);
      }
      await intents.remove(intent);
      if (participants.length > 0) await references.want(intent, participants);
    }
    const news = created.map(({ intent, globalId }) => ({ table: intent.table, localId: intent.localId, globalId }));
    await releasePending(session, news, nowMs);
  });
}

/** The pair of a row and the record that was just created for it. Refuses: never. */
export function toNewPair(
  mapping: Mapping,
  { table, localId, owner, globalId, input }: Intent & GlobalRef,
): Omit<Pair, "revision"> {
  const known = JSON.stringify(pickMapped(mapping, input.payload));
  return { table, localId, owner, globalId, known, held: [], hasOwnWrites: false, removal: "none" };
}
