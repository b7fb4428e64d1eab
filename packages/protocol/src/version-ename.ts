import { v5 } from "uuid";
import { type EName, parseEName } from "./ename.ts";
import { decodeHex } from "./hex.ts";
import { ProtocolError } from "./protocol-error.ts";

const VERSION = /^[0-9A-Za-z.+_-]{1,64}$/;

/**
 * Checks for a release version: 1 to 64 of `[0-9A-Za-z.+_-]`, compared byte for byte.
 *
 * Refuses: never. Source: decisions A1, A6.
 */
export function isVersion(text: unknown): text is string {
  return typeof text === "string" && VERSION.test(text);
}

/**
 * Computes the eName of one version of a platform: `@` and the UUIDv5 of `software-version:` and the version, inside
 * the platform's own UUID. Different spellings are different versions: `1.4` is not `1.4.0`.
 *
 * In: the platform's eName in any spelling.
 * Refuses: INVALID_ENAME for the platform, INVALID_VERSION for the version.
 * Source: S3 "Version eName"; decision A1; RFC 9562 section 5.5.
 */
export function versionToEName(platform: string, version: string): EName {
  if (!isVersion(version)) {
    throw new ProtocolError(
      "INVALID_VERSION",
      "This is not a version. Write 1 to 64 of the characters 0-9 A-Z a-z . + _ -",
    );
  }
  const namespace = decodeHex(parseEName(platform).slice(1).replaceAll("-", "")) as Uint8Array;
  return parseEName(v5(new TextEncoder().encode(`software-version:${version}`), namespace));
}
