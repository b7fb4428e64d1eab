import { refusal } from "../errors.ts";

/** Reads the id of a MetaEnvelope to look up. Refuses: INVALID_TEXT. Source: decision V7. */
export function readId(id: string): string {
  if (id.isWellFormed() && !id.includes("\u0000")) return id;
  throw refusal("INVALID_TEXT", "The id holds U+0000 or an unpaired surrogate; remove it.", "id");
}
