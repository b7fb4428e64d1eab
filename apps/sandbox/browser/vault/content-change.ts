import type { Payload } from "./record.ts";

/** What an edit changes: fields to write, and fields that an update cannot remove. */
export interface ContentChange {
  readonly changed: Payload;
  readonly left: readonly string[];
}

/**
 * Compares an edited content with the stored one, field by field. The vault merges an update, so that a field left out
 * stays: such fields are listed in `left`, unless they are null already.
 *
 * Refuses: never. Source: S1 "updateMetaEnvelope"; decision V4.
 */
export function compareContent(stored: Payload, edited: Payload): ContentChange {
  const changed = Object.fromEntries(
    Object.entries(edited).filter(
      ([name, value]) => !Object.hasOwn(stored, name) || JSON.stringify(stored[name]) !== JSON.stringify(value),
    ),
  );
  const left = Object.keys(stored).filter((name) => !Object.hasOwn(edited, name) && stored[name] !== null);
  return { changed, left };
}
