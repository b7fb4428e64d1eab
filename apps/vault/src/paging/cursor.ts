import { createHmac, createSecretKey, timingSafeEqual } from "node:crypto";
import { refusal } from "../errors.ts";

/** Seals places in a list, so that only this list, of this owner and filter, accepts them. */
export interface CursorSeal {
  /** In: a list's name with its owner and filter, and a place in it. Out: text of the URL-safe alphabet. */
  readonly seal: (list: string, place: string) => string;
  /** Out: the place. Refuses: BAD_CURSOR for anything that `seal` did not create for this list. */
  readonly open: (list: string, cursor: string) => string;
}

const TAG_BYTES = 16;
const MAX_CURSOR_CHARACTERS = 512;

/**
 * Makes the seal of cursors: the place in clear after an HMAC-SHA-256 tag over list and place.
 *
 * In: `secret`, the same for all processes of the vault service. Source: decision V3.
 */
export function createCursorSeal(secret: string): CursorSeal {
  const key = createSecretKey(secret, "utf8");
  function tagOf(list: string, place: string): Buffer {
    return createHmac("sha256", key).update(`${list}\n${place}`).digest().subarray(0, TAG_BYTES);
  }
  return {
    seal: (list, place) => Buffer.concat([tagOf(list, place), Buffer.from(place)]).toString("base64url"),
    open: (list, cursor) => {
      const bytes = Buffer.from(cursor.slice(0, MAX_CURSOR_CHARACTERS), "base64url");
      const place = bytes.subarray(TAG_BYTES).toString();
      const tag = bytes.subarray(0, TAG_BYTES);
      // Decoding skips characters outside the alphabet, so only text that encodes back to itself is accepted.
      const intact = bytes.length > TAG_BYTES && bytes.toString("base64url") === cursor;
      if (intact && timingSafeEqual(tag, tagOf(list, place))) return place;
      throw refusal("BAD_CURSOR", "This cursor is not of this list; take one from a page of the same list and filter.");
    },
  };
}
