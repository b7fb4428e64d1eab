import { type EName, parseEName } from "./ename.ts";
import { isIsoTime } from "./iso-time.ts";
import { ProtocolError, type ProtocolErrorCode } from "./protocol-error.ts";

/** Readers of the members of one object; each refuses an unexpected value and names the member. */
export interface MemberReaders {
  readonly text: (name: string) => string;
  readonly ename: (name: string) => EName;
  readonly time: (name: string) => string;
  /** Exactly one of the given values. */
  readonly oneOf: <Value>(name: string, values: readonly Value[]) => Value;
  /** Any value that the predicate accepts. */
  readonly judged: <Value>(name: string, isValue: (value: unknown) => value is Value, must: string) => Value;
}

/** The expected shape of a document: its name and code in refusals, its required and its optional members. */
export interface DocumentShape {
  readonly code: ProtocolErrorCode;
  readonly what: string;
  readonly members: readonly string[];
  readonly optional?: readonly string[];
}

/**
 * Opens an object that is signed, or is to be signed. An unknown member might change the meaning, so it is refused like
 * a missing one.
 *
 * Refuses: the shape's code, also from the readers. Source: decision A1.
 */
export function readMembers(value: unknown, shape: DocumentShape): MemberReaders {
  const refuse = (at: string, must: string): ProtocolError =>
    new ProtocolError(shape.code, `This is no ${shape.what}: ${at} ${must}.`, at);
  if (typeof value !== "object" || value === null || Array.isArray(value)) throw refuse("it", "must be an object");
  const members = value as Readonly<Record<string, unknown>>;
  const known = [...shape.members, ...(shape.optional ?? [])];
  for (const name of Object.keys(members)) {
    if (!known.includes(name)) throw refuse(name.slice(0, 64), "is an unknown member");
  }
  for (const name of shape.members) {
    if (!Object.hasOwn(members, name)) throw refuse(name, "is missing");
  }
  const judged: MemberReaders["judged"] = (name, isValue, must) => {
    const found = members[name];
    if (isValue(found)) return found;
    throw refuse(name, must);
  };
  return {
    judged,
    text: (name) => judged(name, isText, "must be text"),
    ename: (name) => parseEName(judged(name, isENameText, "must be an eName")),
    time: (name) => judged(name, isIsoTime, "must be a time such as 2026-01-15T12:00:00.000Z"),
    oneOf: <Value>(name: string, values: readonly Value[]) =>
      judged(
        name,
        (found): found is Value => values.some((known) => known === found),
        `must be ${values.map(String).join(" or ")}`,
      ),
  };
}

/** Checks for non-empty text that survives UTF-8. Refuses: never. */
export function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "" && value.isWellFormed();
}

function isENameText(value: unknown): value is string {
  try {
    return typeof value === "string" && parseEName(value) !== undefined;
  } catch {
    return false;
  }
}
