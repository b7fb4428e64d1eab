import { refusal } from "../errors.ts";
import { isStorable } from "../meta-envelopes/payload.ts";

/** No MetaEnvelope has an id of more than 128 characters; a slightly longer one is answered like an unknown id. */
const MAX_ID_CHARACTERS = 8_192;

/** Reads the id of a MetaEnvelope to look up. Refuses: INVALID_TEXT, BAD_USER_INPUT (over 8,192 characters). Source: decisions V7, V25. */
export function readId(id: string): string {
  if (id.length > MAX_ID_CHARACTERS) {
    throw refusal("BAD_USER_INPUT", `An id has at most ${MAX_ID_CHARACTERS} characters.`, "id");
  }
  if (isStorable(id)) return id;
  throw refusal("INVALID_TEXT", "The id holds U+0000 or an unpaired surrogate; remove it.", "id");
}
