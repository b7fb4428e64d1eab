import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import type { Change } from "../state/changes.ts";
import type { GlobalRef } from "../state/pairs.ts";
import { createReferences } from "../state/references.ts";
import type { SyncCore } from "../sync/sync.ts";
import { findRefusal } from "../sync/vaults.ts";
import { participantsOf } from "./participants.ts";

/**
 * Stores the references to a record in the vaults of its participants, each once. A vault that fails does not stop the others.
 *
 * Refuses: the vaults' errors when all were tried: a failure that passes before a refusal. Source: S3 outbound rule 3.
 */
export async function sendReferences(sync: SyncCore, change: Change, { owner, globalId }: GlobalRef): Promise<void> {
  const references = createReferences(sync.database);
  await references.want(change, participantsOf(change, owner));
  const errors: unknown[] = [];
  for (const reference of await references.open(change)) {
    const { participant, idempotencyKey } = reference;
    const payload = { _by_reference: `${owner}/${globalId}` };
    const input = { ontology: ONTOLOGY_ID.Reference, payload, acl: ["*"] };
    try {
      const { id } = await sync.vaults.vault(participant).create(input, { idempotencyKey });
      await references.settle(reference, id);
    } catch (error) {
      errors.push(error);
    }
  }
  if (errors.length > 0) throw errors.find((error) => findRefusal(error) === undefined) ?? errors[0];
}
