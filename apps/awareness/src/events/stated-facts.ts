import { isSelfManifest } from "@dataspace/access/facts/group-statement";
import type { EName } from "@dataspace/protocol/ename";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";

/**
 * What an event states that decisions about other records rest on.
 *
 * `byOwner`: whether the owner of a vault with a key wrote it. `manifest`: the payload of a self-manifest. `reading`: the
 * text of a payload with a signed reading's members. Both are undefined for other records.
 * Source: decisions V23, V24.
 */
export interface StatedFacts {
  readonly byOwner: boolean;
  readonly manifest: JsonObject | undefined;
  readonly reading: string | undefined;
}

/** A larger payload is not a reading. */
const MAX_READING_BYTES = 65_536;
const READING_MEMBERS = ["statement", "signature", "signer"];

/** Takes from an event what it states. Refuses: never. Source: decisions V23, V24. */
export function readStatedFacts(event: {
  readonly dsid: EName;
  readonly schemaId: string;
  readonly data: JsonObject;
  readonly vaultPublicKey: string | null;
  readonly requestingPlatform: string | null;
}): StatedFacts {
  const { dsid, schemaId, data, vaultPublicKey, requestingPlatform } = event;
  return {
    byOwner: vaultPublicKey !== null && requestingPlatform === null,
    manifest: isSelfManifest(dsid, schemaId, () => data) ? data : undefined,
    reading: toReading(data),
  };
}

function toReading(data: JsonObject): string | undefined {
  if (READING_MEMBERS.some((member) => data[member] === undefined || data[member] === null)) return undefined;
  const text = JSON.stringify(data);
  return Buffer.byteLength(text) > MAX_READING_BYTES ? undefined : text;
}
