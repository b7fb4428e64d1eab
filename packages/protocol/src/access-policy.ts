import { type EName, parseEName } from "./ename.ts";
import { ProtocolError } from "./protocol-error.ts";
import { parseSingularJsonPath } from "./singular-json-path.ts";

/** The comparison operators of a condition. */
export const CONDITION_OPERATORS = [">=", ">", "<=", "<", "=="] as const;

/** A condition on a number that the issuer states about the caller. */
export interface AccessCondition {
  readonly ontology: EName;
  readonly path: string;
  readonly op: (typeof CONDITION_OPERATORS)[number];
  readonly value: number;
  readonly issuer?: EName;
  readonly maxAgeSeconds?: number;
}

/** A record's access policy with every member present. Permissions are bits: READ 1, CREATE 2, UPDATE 4, DELETE 8. */
export interface AccessPolicy {
  readonly v: 1;
  readonly grants: readonly { readonly ename: EName; readonly perms: number }[];
  readonly denials: { readonly enames: readonly EName[]; readonly conditions: readonly AccessCondition[] };
  readonly default_perms: number;
  /** Groups, one of which must pass; a group passes when all of its conditions do. `[[]]` always passes, `[]` never. */
  readonly require: readonly (readonly AccessCondition[])[];
}

const ALL_PERMS = 15;
const MAX_GRANTS = 256;
const MAX_DENIALS = 256;
const MAX_GROUPS = 8;
const MAX_CONDITIONS = 8;
const MAX_BYTES = 32_768;

/**
 * Parses an `_acl` block from a client. Parsing the result again gives the same result.
 *
 * In: `v` may be missing and is 1; lists may be missing and are empty; `default_perms` may be missing and is 0; a
 * condition's `issuer` and `maxAgeSeconds` may be missing or null.
 * Refuses: INVALID_ACL for the whole block, with the position of the fault. Dropping one bad denial would widen access,
 * and so would ignoring a member that a newer writer relies on.
 * Source: S1 Access policy; decision V11.
 */
export function parseAccessPolicy(value: unknown): AccessPolicy {
  const block = readObject(value, "", ["v", "grants", "denials", "default_perms", "require"]);
  const denials = readObject(member(block, "denials", {}), "denials", ["enames", "conditions"]);
  const groups = readList(member(block, "require", []), "require", MAX_GROUPS);
  const policy: AccessPolicy = {
    v: readVersion(member(block, "v", 1)),
    grants: readGrants(member(block, "grants", [])),
    denials: {
      enames: readDeniedENames(member(denials, "enames", [])),
      conditions: readConditions(member(denials, "conditions", []), "denials.conditions", MAX_DENIALS),
    },
    default_perms: readPerms(member(block, "default_perms", 0), "default_perms", 0),
    require: groups.map((group, index) => readConditions(group, `require[${index}]`, MAX_CONDITIONS)),
  };
  if (new TextEncoder().encode(JSON.stringify(policy)).length > MAX_BYTES) {
    throw refusal("", "must be at most 32 KiB of JSON");
  }
  return policy;
}

type Members = Readonly<Record<string, unknown>>;

function readObject(value: unknown, at: string, known: readonly string[]): Members {
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw refusal(at, "must be an object");
  }
  const unknown = Object.keys(value).find((key) => !known.includes(key));
  if (unknown !== undefined) {
    throw refusal(at, `has the unknown member ${JSON.stringify(unknown.slice(0, 64))}`);
  }
  return value as Members;
}

function member(members: Members, name: string, otherwise?: unknown): unknown {
  return Object.hasOwn(members, name) ? members[name] : otherwise;
}

function readList(value: unknown, at: string, max: number): readonly unknown[] {
  if (!Array.isArray(value) || value.length > max) {
    throw refusal(at, `must be a list of at most ${max}`);
  }
  return Array.from<unknown>(value);
}

function readVersion(value: unknown): 1 {
  if (value !== 1) {
    throw refusal("v", "must be 1");
  }
  return 1;
}

function readGrants(value: unknown): AccessPolicy["grants"] {
  const seen = new Set<EName>();
  return readList(value, "grants", MAX_GRANTS).map((item, index) => {
    const at = `grants[${index}]`;
    const grant = readObject(item, at, ["ename", "perms"]);
    const ename = readEName(member(grant, "ename"), `${at}.ename`);
    if (seen.has(ename)) {
      throw refusal(`${at}.ename`, "is granted twice; write one grant with all of its bits");
    }
    seen.add(ename);
    return { ename, perms: readPerms(member(grant, "perms"), `${at}.perms`, 1) };
  });
}

function readDeniedENames(value: unknown): readonly EName[] {
  return readList(value, "denials.enames", MAX_DENIALS).map((item, index) =>
    readEName(item, `denials.enames[${index}]`),
  );
}

function readConditions(value: unknown, at: string, max: number): readonly AccessCondition[] {
  return readList(value, at, max).map((item, index) => readCondition(item, `${at}[${index}]`));
}

function readCondition(value: unknown, at: string): AccessCondition {
  const condition = readObject(value, at, ["ontology", "path", "op", "value", "issuer", "maxAgeSeconds"]);
  const issuer = member(condition, "issuer", null);
  const maxAgeSeconds = member(condition, "maxAgeSeconds", null);
  return {
    ontology: readEName(member(condition, "ontology"), `${at}.ontology`),
    path: readPath(member(condition, "path"), `${at}.path`),
    op: readOperator(member(condition, "op"), `${at}.op`),
    value: readNumber(member(condition, "value"), `${at}.value`),
    ...(issuer === null ? {} : { issuer: readEName(issuer, `${at}.issuer`) }),
    ...(maxAgeSeconds === null ? {} : { maxAgeSeconds: readAge(maxAgeSeconds, `${at}.maxAgeSeconds`) }),
  };
}

// Only the `@` form: other readers would interpret `*` and bare ids differently.
function readEName(value: unknown, at: string): EName {
  try {
    if (typeof value === "string" && value.startsWith("@") && value.trim() === value) {
      return parseEName(value);
    }
  } catch {
    // Refused below, with the position.
  }
  throw refusal(at, "must be an eName: @ followed by a UUID");
}

function readPerms(value: unknown, at: string, min: 0 | 1): number {
  if (typeof value !== "number" || !Number.isInteger(value) || value < min || value > ALL_PERMS) {
    throw refusal(at, `must be ${min} to ${ALL_PERMS} (READ 1, CREATE 2, UPDATE 4, DELETE 8)`);
  }
  return value;
}

function readPath(value: unknown, at: string): string {
  try {
    if (typeof value === "string") {
      parseSingularJsonPath(value);
      return value;
    }
  } catch {
    // Refused below, with the position.
  }
  throw refusal(at, "must be a path to one value, such as $.a.b[0]['c']");
}

function readOperator(value: unknown, at: string): AccessCondition["op"] {
  const op = CONDITION_OPERATORS.find((known) => known === value);
  if (op === undefined) {
    throw refusal(at, `must be one of ${CONDITION_OPERATORS.join(" ")}`);
  }
  return op;
}

function readNumber(value: unknown, at: string): number {
  if (typeof value !== "number" || !Number.isFinite(value)) {
    throw refusal(at, "must be a finite number");
  }
  return value;
}

function readAge(value: unknown, at: string): number {
  if (typeof value !== "number" || !Number.isSafeInteger(value) || value < 1) {
    throw refusal(at, "must be a whole number of seconds, 1 or more");
  }
  return value;
}

function refusal(at: string, why: string): ProtocolError {
  return new ProtocolError("INVALID_ACL", `Invalid _acl: ${at || "the block"} ${why}.`, at || undefined);
}
