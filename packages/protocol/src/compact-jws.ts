import { decodeBase64Url } from "./base64url.ts";
import type { JsonObject } from "./meta-envelope.ts";
import { ProtocolError } from "./protocol-error.ts";
import { parseSignedJson } from "./signed-json.ts";

/** A token that is parsed but not verified: none of its content is trustworthy before its signature is checked. */
export interface CompactJws {
  readonly header: { readonly alg: "ES256"; readonly kid: string; readonly typ: string | undefined };
  readonly payload: JsonObject;
  /** The signed bytes: the first two parts with their dot, as ASCII. */
  readonly signingInput: Uint8Array;
  /** r and s, 32 bytes each. */
  readonly signature: Uint8Array;
}

const MAX_BYTES = 8192;
const KID = /^[\x21-\x7e]{1,128}$/;

/**
 * Parses a compact JWS strictly; ignores the header's key hints (jku, jwk, x5u, x5c).
 *
 * In: at most 8 KiB unless `maxBytes` says otherwise, three non-empty base64url parts.
 * Refuses: INVALID_TOKEN for an `alg` other than ES256, for `crit` or `b64`; a `kid` that is missing or over 128
 * printable characters; a signature that is not 64 bytes; duplicate members; a payload that is not a JSON object.
 * Source: decision I4; RFC 7515 sections 3.1, 4.1.11 and 7.1; RFC 7518 section 3.4.
 */
export function parseCompactJws(text: string, maxBytes: number = MAX_BYTES): CompactJws {
  const parts = text.length <= maxBytes ? text.split(".") : [];
  const [header, payload, signature] = parts.map(decodeBase64Url);
  if (parts.length !== 3 || !header?.length || !payload?.length || !signature?.length) {
    throw refusal(`it is not three base64url parts of at most ${maxBytes / 1024} KiB together`);
  }
  if (signature.length !== 64) {
    throw refusal("its signature is not 64 bytes of r and s");
  }
  return {
    header: checkHeader(parseObject(header)),
    payload: parseObject(payload),
    signingInput: new TextEncoder().encode(text.slice(0, text.lastIndexOf("."))),
    signature,
  };
}

function checkHeader(header: JsonObject): CompactJws["header"] {
  const { alg, kid, typ } = header;
  if (alg !== "ES256") {
    throw refusal("its alg is not ES256");
  }
  if (Object.hasOwn(header, "crit") || Object.hasOwn(header, "b64")) {
    throw refusal("it uses crit or b64");
  }
  if (typeof kid !== "string" || !KID.test(kid)) {
    throw refusal("its kid is not 1 to 128 printable characters");
  }
  if (typ !== undefined && typeof typ !== "string") {
    throw refusal("its typ is not text");
  }
  return { alg, kid, typ };
}

function parseObject(bytes: Uint8Array): JsonObject {
  try {
    const value = parseSignedJson(new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) {
      return value as JsonObject;
    }
  } catch {
    // Refused below: why a part is not a JSON object does not help the sender.
  }
  throw refusal("a part is not a JSON object without duplicate members");
}

function refusal(why: string): ProtocolError {
  return new ProtocolError("INVALID_TOKEN", `The token is refused: ${why}.`);
}
