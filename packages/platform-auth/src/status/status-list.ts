import { deflateSync, inflateSync } from "node:zlib";
import { decodeBase64Url, encodeBase64Url } from "@dataspace/protocol/base64url";

/** The `typ` of a status list token. */
export const STATUS_LIST_TYP = "statuslist+jwt";

/** The claims of a status list token; times are seconds since the epoch. Source: draft-ietf-oauth-status-list section 5. */
export interface StatusListClaims {
  readonly iss: string;
  /** The address of the list, as certificates name it. */
  readonly sub: string;
  readonly iat: number;
  readonly exp: number;
  /** How long a reader may use it, in seconds. */
  readonly ttl: number;
  readonly status_list: { readonly bits: 1; readonly lst: string };
}

const MAX_LIST_BYTES = 1_048_576;

/**
 * Writes a list of one bit for each certificate; a set bit means revoked.
 *
 * In: the indexes of revoked certificates, and how many certificates the list has room for.
 * Refuses: RangeError for an index outside the list. Source: draft-ietf-oauth-status-list section 4.
 */
export function encodeStatusList(revoked: Iterable<number>, size: number): StatusListClaims["status_list"] {
  const bytes = new Uint8Array(Math.ceil(size / 8));
  for (const idx of revoked) {
    if (!Number.isInteger(idx) || idx < 0 || idx >= size) throw new RangeError(`No certificate has the index ${idx}.`);
    bytes[idx >> 3] = (bytes[idx >> 3] as number) | (1 << (idx & 7));
  }
  return { bits: 1, lst: encodeBase64Url(deflateSync(bytes)) };
}

/**
 * Reads a list of 1, 2, 4 or 8 bits for each certificate.
 *
 * Out: a look-up by index (0: valid, undefined outside the list); undefined for what is not a list or longer than 1 MiB.
 * Refuses: never. Source: draft-ietf-oauth-status-list section 4.
 */
export function decodeStatusList(value: unknown): ((idx: number) => number | undefined) | undefined {
  const { bits, lst } = (value ?? {}) as Readonly<Record<string, unknown>>;
  const packed = typeof lst === "string" ? decodeBase64Url(lst) : undefined;
  if (packed === undefined || (bits !== 1 && bits !== 2 && bits !== 4 && bits !== 8)) return undefined;
  const bytes = inflate(packed);
  if (bytes === undefined) return undefined;
  const perByte = 8 / bits;
  return (idx) => {
    const byte = bytes[Math.floor(idx / perByte)];
    return byte === undefined ? undefined : (byte >> ((idx % perByte) * bits)) & ((1 << bits) - 1);
  };
}

// The bound is on the unpacked bytes: a short text may unpack to any length.
function inflate(packed: Uint8Array): Uint8Array | undefined {
  try {
    return inflateSync(packed, { maxOutputLength: MAX_LIST_BYTES });
  } catch {
    return undefined;
  }
}
