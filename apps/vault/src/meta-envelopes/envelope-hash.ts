import { hash } from "node:crypto";

/** What one write did to a MetaEnvelope, as the log identifies it. JSON texts are compact. */
export type HashedWrite =
  | { readonly id: string; readonly ontology: string; readonly payloadText: string }
  | { readonly id: string; readonly ontology?: undefined };

/**
 * The `envelopeHash` of a log entry: SHA-256 over `{"id","ontology","payload"}` in this order, payload members in the order
 * they were given; over `{"id"}` alone for a removal.
 *
 * Out: lower-case hex. Refuses: never. Source: S1 "Log entry"; decision V10.
 */
export function envelopeHash(write: HashedWrite): string {
  const id = `{"id":${JSON.stringify(write.id)}`;
  const text =
    write.ontology === undefined
      ? `${id}}`
      : `${id},"ontology":${JSON.stringify(write.ontology)},"payload":${write.payloadText}}`;
  return hash("sha256", text, "hex");
}
