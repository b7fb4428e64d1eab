import { parseSignedJson } from "@dataspace/protocol/signed-json";

/** An entry of the log as far as a review must agree with it. */
export interface LogEntry {
  /** Seconds since the epoch. */
  readonly at: number;
  /** The digest of the entry's review; undefined in an entry without one. */
  readonly reviewDigest: string | undefined;
  /** Members that the signed statement must have, with these values. */
  readonly stated: Readonly<Record<string, unknown>>;
}

const DAY_SECONDS = 86_400;

/** Reads an entry. Out: undefined for any other text. Refuses: never. Source: decision A1. */
export function readLogEntry(text: string): LogEntry | undefined {
  const entry = readObject(text);
  const { type, jti, sub, version, submission_sha256, level, domains, iat, exp, at, review_sha256 } = entry ?? {};
  const reviewDigest = typeof review_sha256 === "string" ? review_sha256 : undefined;
  if (type === "revoked" && typeof at === "number")
    return { at, reviewDigest, stated: { act: "revoke", certificate: jti } };
  if (type !== "issued" || typeof iat !== "number" || typeof exp !== "number") return undefined;
  const release = { platform: sub, version, submission_sha256 };
  const validDays = (exp - iat) / DAY_SECONDS;
  return {
    at: iat,
    reviewDigest,
    stated: { act: "decide", decision: "granted", ...release, level, domains, validDays },
  };
}

/** Parses signed JSON that is an object. Out: undefined for any other text. Refuses: never. */
export function readObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = parseSignedJson(text);
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : undefined;
  } catch {
    return undefined;
  }
}
