import { v5 } from "uuid";
import { type EName, parseEName } from "./ename.ts";
import { decodeHex } from "./hex.ts";
import { ProtocolError } from "./protocol-error.ts";
import { isUuid } from "./uuid.ts";

/**
 * Computes the eName of a new vault: `@` and the UUIDv5 of the entropy inside the namespace.
 *
 * In: `namespaceUuid` in hex with hyphens, any case, no `@`; `entropy` the claim of the registry's token, as UTF-8.
 * Refuses: INVALID_NAMESPACE for text that is not a UUID, INVALID_ENTROPY for empty or ill-formed text.
 * Source: S1 POST /provision; decision V17; RFC 9562 section 5.5.
 */
export function entropyToEName(namespaceUuid: string, entropy: string): EName {
  if (entropy === "" || !entropy.isWellFormed()) {
    throw new ProtocolError(
      "INVALID_ENTROPY",
      "The entropy is empty or not well-formed text. Ask the registry for a new token.",
    );
  }
  return parseEName(v5(new TextEncoder().encode(entropy), namespaceBytes(namespaceUuid)));
}

// As bytes, because the library refuses namespaces whose version it does not know.
function namespaceBytes(namespaceUuid: string): Uint8Array {
  const bytes = isUuid(namespaceUuid) ? decodeHex(namespaceUuid.replaceAll("-", "").toLowerCase()) : undefined;
  if (bytes === undefined) {
    throw new ProtocolError(
      "INVALID_NAMESPACE",
      "The namespace is not a UUID. Send one such as 11111111-1111-4111-8111-111111111111.",
    );
  }
  return bytes;
}
