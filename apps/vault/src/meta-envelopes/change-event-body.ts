import type { Change } from "./change.ts";

/**
 * The webhook body of a change, split where the owner's public key belongs, because the key in force is known only at
 * commit. The store writes `beforeData + data + beforeKey + key + afterKey`, the key as a JSON string or `null`.
 *
 * The members are exactly the spec's, in its order. `data` is the whole payload afterwards, `{}` for a removal.
 * Refuses: never. Source: S1 "Webhook payload"; decisions E3, V9.
 */
export interface ChangeEventBody {
  readonly beforeData: string;
  /** null: the stored payload. */
  readonly data: string | null;
  readonly beforeKey: string;
  readonly afterKey: string;
}

/** Writes the event body of a change. */
export function changeEventBody(change: Change): ChangeEventBody {
  const { after, owner, announced } = change;
  const id = JSON.stringify(after.id);
  const schemaId = JSON.stringify(after.ontology);
  return {
    beforeData: `{"eventId":"${change.eventId}","id":${id},"dsid":"${owner}","schemaId":${schemaId},"data":`,
    data: announced === "delete" ? "{}" : null,
    beforeKey: `,"vaultPublicKey":`,
    afterKey: `,"operation":"${announced}","streamVersion":${after.version},"occurredAt":"${change.at}"}`,
  };
}
