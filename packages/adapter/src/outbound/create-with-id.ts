import type { Mapping } from "../mapping/mapping.ts";
import type { Intent } from "../state/intents.ts";
import type { SyncCore } from "../sync/sync.ts";
import { type BulkOutcome, VaultRefusal } from "../sync/vaults.ts";

/** What a vault answers when a record with the chosen id exists. Source: decision V5. */
const ID_EXISTS = "ID_EXISTS";
/** The status of an item that a vault refuses, so that it counts as a refusal. */
const REFUSED = 422;

/** An intent whose record has an id that the platform chose. */
export type IntentWithId = Intent & { readonly globalId: string };

/**
 * Creates the record of an intent under the id that the platform chose. If the id exists, an earlier attempt created the record.
 *
 * Refuses: the vault's errors, also those of the item.
 */
export async function createWithId(sync: SyncCore, mapping: Mapping, intent: IntentWithId): Promise<string> {
  for await (const outcome of sendBulk(sync, mapping, [intent])) {
    if (isThere(outcome)) return intent.globalId;
    throw new VaultRefusal(
      outcome.code ?? "VAULT_REFUSED",
      outcome.message ?? "The vault refuses the record.",
      REFUSED,
    );
  }
  throw new Error("The vault's answer reports no item.");
}

/** Creates records of one owner in bulk. Out: what became of each, in order. Refuses: the vault's errors. Source: decision V5. */
export function sendBulk(
  sync: SyncCore,
  mapping: Mapping,
  intents: readonly IntentWithId[],
): AsyncIterable<BulkOutcome> {
  const owner = intents[0]?.owner ?? "";
  const inputs = intents.map(({ globalId, input }) => ({ id: globalId, ontology: mapping.schemaId, ...input }));
  return sync.vaults.vault(owner).createMany(inputs);
}

/** Whether a record is there, created now or by an earlier attempt. Refuses: never. */
export function isThere({ success, code }: BulkOutcome): boolean {
  return success || code === ID_EXISTS;
}
