import { hash } from "node:crypto";
import { envelopeHashText, type HashedWrite } from "@dataspace/protocol/envelope-hash-text";

/** The `envelopeHash` of a log entry, in lower-case hex. Refuses: never. Source: S1 "Log entry"; decision V10. */
export function envelopeHash(write: HashedWrite): string {
  return hash("sha256", envelopeHashText(write), "hex");
}
