/**
 * What a write did, as its log entry identifies it. `payloadText` is compact JSON; a removal is identified by its id
 * alone.
 */
export type HashedWrite =
  | { readonly id: string; readonly ontology: string; readonly payloadText: string }
  | { readonly id: string; readonly ontology?: undefined };

/**
 * Writes the text whose SHA-256 in hex is a log entry's `envelopeHash`: compact JSON of id, ontology and payload, in
 * this order, with the payload's members in the given order.
 *
 * In: what was written. A create: its payload. An update: the patch as sent. A rollback: the restored payload. A value
 * update: `{envelopeId, newValue}` under the Envelope's id. A removal: the id alone.
 * Refuses: never.
 * Source: S1 Log entry; decision V10.
 */
export function envelopeHashText(write: HashedWrite): string {
  const id = `{"id":${JSON.stringify(write.id)}`;
  if (write.ontology === undefined) return `${id}}`;
  return `${id},"ontology":${JSON.stringify(write.ontology)},"payload":${write.payloadText}}`;
}
