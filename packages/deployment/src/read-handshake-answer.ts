import type { HandshakeAnswer } from "@dataspace/platform-auth/evidence";
import { DeploymentError } from "./deployment-error.ts";

type Members = Readonly<Record<string, unknown>>;

const MOST_LINKS = 32;
const LONGEST_SESSION_SECONDS = 86_400;
/** What an Authorization header can carry. */
const TOKEN = /^[A-Za-z0-9._~+/=-]{1,4096}$/;

/**
 * Reads a vault's answer to a handshake, as far as it is used.
 *
 * Refuses: UNAVAILABLE for anything that is not a report on links, or holds a session that no request can carry.
 * Source: S3 "Resources and their fields"; decision A1.
 */
export function readHandshakeAnswer(value: unknown): HandshakeAnswer {
  const { ok, links, claim = null, failedAt = null, session } = (value ?? {}) as Members;
  const isReport =
    typeof ok === "boolean" &&
    Array.isArray(links) &&
    links.length <= MOST_LINKS &&
    links.every(isLink) &&
    isClaim(claim);
  if (isReport && isTextOrNull(failedAt) && (session === undefined || isSession(session)))
    return value as HandshakeAnswer;
  throw new DeploymentError(
    "UNAVAILABLE",
    "The vault's answer does not report the six links; check the vault's address.",
  );
}

function isLink(value: unknown): boolean {
  const link = (value ?? {}) as Members;
  return ["id", "proves", "detail", "code"].every((name) => typeof link[name] === "string");
}

function isClaim(value: unknown): boolean {
  if (value === null) return true;
  const { level, version, domains } = value as Members;
  const isTexts = Array.isArray(domains) && domains.every((domain) => typeof domain === "string");
  return typeof level === "string" && typeof version === "string" && isTexts;
}

function isTextOrNull(value: unknown): boolean {
  return value === null || typeof value === "string";
}

function isSession(value: unknown): boolean {
  const { access_token: token, token_type: type, expires_in: seconds } = (value ?? {}) as Members;
  const isTime = typeof seconds === "number" && seconds > 0 && seconds <= LONGEST_SESSION_SECONDS;
  return typeof token === "string" && TOKEN.test(token) && (type === "DPoP" || type === "Bearer") && isTime;
}
