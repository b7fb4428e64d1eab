import { refusal } from "../errors.ts";

const ID = /^[A-Za-z0-9._:@-]{1,128}$/;

/** Reads a caller's id for a new MetaEnvelope. Refuses: INVALID_ID. Source: decision V5. */
export function readNewId(id: string): string {
  if (ID.test(id)) return id;
  throw refusal("INVALID_ID", "An id is 1 to 128 characters of A-Z a-z 0-9 . _ : @ -", "id");
}
