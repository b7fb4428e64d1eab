import { assertPayload, type Payload } from "./payload.ts";

/**
 * Patches a payload: the patch's top-level fields replace those of the same name, new ones come last.
 *
 * In: the stored payload as JSON text, and a checked patch. Refuses: PAYLOAD_TOO_LARGE (over 1,000 fields together).
 * Source: S1 "Fields are patched (not replaced)"; decision V4.
 */
export function patchPayload(storedText: string, patch: Payload): Payload {
  const patched: unknown = { ...(JSON.parse(storedText) as Payload), ...patch };
  assertPayload(patched, "payload");
  return patched;
}
