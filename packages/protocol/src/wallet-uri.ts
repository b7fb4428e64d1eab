import { type EName, parseEName } from "./ename.ts";
import { ProtocolError } from "./protocol-error.ts";

/** A file in a vault, as its `ds://file` address names it. */
export interface FileAddress {
  readonly ename: EName;
  readonly metaEnvelopeId: string;
}

const SESSION = /^[A-Za-z0-9_-]{16,128}$/;
const FILE_URI = /^ds:\/\/file\/?\?(.*)$/i;
const UNSAFE_IN_ID = /[\s?#&]/;

/**
 * Writes the address of a file: `ds://file?id=@<ename>/<MetaEnvelope id>`.
 *
 * Refuses: INVALID_ENAME; INVALID_URI for an id that is empty or contains white space, `?`, `#` or `&`.
 * Source: S1 Conventions (`ds://file`); decision V15.
 */
export function makeFileUri(ename: string, metaEnvelopeId: string): string {
  if (metaEnvelopeId === "" || UNSAFE_IN_ID.test(metaEnvelopeId)) {
    throw new ProtocolError("INVALID_URI", "A file's id may not be empty or hold white space, ?, # or &.");
  }
  return `ds://file?id=${parseEName(ename)}/${metaEnvelopeId}`;
}

/**
 * Parses the address of a file; the id is everything after the eName's slash.
 *
 * In: as `makeFileUri` writes it, or with the whole `id` percent-encoded as URL libraries do. Other parameters are
 * ignored.
 * Refuses: INVALID_URI for anything else.
 * Source: S1 Conventions (`ds://file`); decision V15.
 */
export function parseFileUri(text: string): FileAddress {
  const parameters = FILE_URI.exec(text)?.[1]?.split("&") ?? [];
  const ids = parameters.filter((parameter) => parameter.startsWith("id="));
  const id = ids.length === 1 ? decodeId(ids[0]?.slice(3) ?? "") : "";
  const slash = id.indexOf("/");
  const metaEnvelopeId = id.slice(slash + 1);
  try {
    if (id.startsWith("@") && slash > 0 && metaEnvelopeId !== "" && !UNSAFE_IN_ID.test(metaEnvelopeId)) {
      return { ename: parseEName(id.slice(0, slash)), metaEnvelopeId };
    }
  } catch {
    // An address without a valid eName is invalid.
  }
  throw new ProtocolError("INVALID_URI", "This is not a file's address. It reads ds://file?id=@<ename>/<id>.");
}

/** A login request to a wallet: where it answers, what it signs, and who asks. */
export interface AuthRequest {
  readonly redirect: string;
  readonly session: string;
  readonly platform: string;
  /** The address of the asking party's logo. */
  readonly logo?: string | undefined;
}

/**
 * Writes the address of a login request: `ds://auth?redirect=&session=&platform=&name=`, with `logo` where there is
 * one; `platform` and `name` both state who asks.
 *
 * Refuses: INVALID_SESSION for a session that no wallet would sign. Source: S2 "Login flow", 2; decision I8.
 */
export function makeAuthUri({ redirect, session, platform, logo }: AuthRequest): string {
  if (!isSignableSession(session)) {
    throw new ProtocolError("INVALID_SESSION", "A session is 16 to 128 letters, digits, - or _.");
  }
  const parameters = { redirect, session, platform, name: platform, ...(logo === undefined ? {} : { logo }) };
  // As a component, since a wallet may read + literally.
  const query = Object.entries(parameters).map(([name, value]) => `${name}=${encodeURIComponent(value)}`);
  return `ds://auth?${query.join("&")}`;
}

/**
 * Checks whether a wallet may sign a text as a login session.
 *
 * Refuses: never.
 * Source: decision I8.
 */
export function isSignableSession(text: string): boolean {
  return SESSION.test(text);
}

function decodeId(id: string): string {
  try {
    return id.startsWith("@") ? id : decodeURIComponent(id);
  } catch {
    return "";
  }
}
