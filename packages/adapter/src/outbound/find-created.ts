import { isDeepStrictEqual } from "node:util";
import type { Mapping } from "../mapping/mapping.ts";
import type { Intent } from "../state/intents.ts";
import { createIdStore } from "../state/pairs.ts";
import type { SyncCore } from "../sync/sync.ts";

/** How many of the newest records are compared. */
const MOST_COMPARED = 10_000;

/**
 * Finds the record that an earlier attempt may have created: the one with the id that the platform chose, or else the newest with the
 * same payload that belongs to no other row.
 *
 * Out: undefined where there is none. Refuses: the vault's and the database's errors.
 */
export async function findCreated(sync: SyncCore, mapping: Mapping, intent: Intent): Promise<string | undefined> {
  const { owner, input, globalId } = intent;
  const vault = sync.vaults.vault(owner);
  if (globalId !== undefined) return (await vault.get(globalId))?.id;
  const pairs = createIdStore(sync.database);
  let compared = 0;
  for await (const { id, parsed } of vault.list({ ontologyId: mapping.schemaId }, { newestFirst: true })) {
    compared += 1;
    const isSame = isDeepStrictEqual(parsed, input.payload);
    if (isSame && (await pairs.findByGlobal({ owner, globalId: id })) === undefined) return id;
    if (compared === MOST_COMPARED) break;
  }
  return undefined;
}
