import { refusal } from "../errors.ts";
import { isStorable } from "../meta-envelopes/payload.ts";

/** Reads the id of a MetaEnvelope to look up. Refuses: INVALID_TEXT. Source: decision V7. */
export function readId(id: string): string {
  if (isStorable(id)) return id;
  throw refusal("INVALID_TEXT", "The id holds U+0000 or an unpaired surrogate; remove it.", "id");
}
