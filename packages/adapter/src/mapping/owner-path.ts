import { type EName, isEName, parseEName } from "@dataspace/protocol/ename";
import { TextFault } from "./mapping-fault.ts";
import { parsePath, scanPath } from "./parse-path.ts";
import { type Entity, type Path, readPath } from "./path.ts";
import { createTextScanner } from "./text-scanner.ts";

/** Where the owner of a row is found: the first alternative that gives an eName. */
export interface OwnerPath {
  readonly text: string;
  readonly alternatives: readonly Path[];
}

/** What one alternative gave, for whoever asks why. */
export interface OwnerTrial {
  readonly path: string;
  readonly ename: EName | undefined;
}

const MAX_ALTERNATIVES = 16;

/** Reads `a||users(b.ename)||c[].ename`; the tables only help the reader. Refuses: TextFault. Source: S3 "Mapping config". */
export function parseOwnerPath(text: string): OwnerPath {
  const scanner = createTextScanner(text);
  const alternatives: Path[] = [];
  do {
    if (alternatives.length === MAX_ALTERNATIVES) {
      throw new TextFault("TOO_LARGE", scanner.column(), `An owner path has at most ${MAX_ALTERNATIVES} alternatives.`);
    }
    const path = scanPath(scanner);
    if (scanner.accept("(")) {
      const inner = scanner.takeToClose();
      alternatives.push(parseInner(inner));
    } else {
      alternatives.push(path);
    }
  } while (scanner.accept("||"));
  scanner.skipSpace();
  if (scanner.isAtEnd()) return { text, alternatives };
  throw new TextFault("INVALID_OWNER_PATH", scanner.column(), "Expected || and another path, or the end.");
}

function parseInner({ text, column }: { readonly text: string; readonly column: number }): Path {
  try {
    return parsePath(text);
  } catch (error) {
    if (error instanceof TextFault) throw new TextFault(error.code, column + error.column - 1, error.message);
    throw error;
  }
}

/** Tries the alternatives up to the first that gives an eName. Out: each trial, the last being it, if any. Refuses: never. */
export function tryOwnerPath({ alternatives }: OwnerPath, row: Entity): readonly OwnerTrial[] {
  const trials: OwnerTrial[] = [];
  for (const path of alternatives) {
    const [ename] = toENames(readPath(path, row));
    trials.push({ path: path.text, ename });
    if (ename !== undefined) break;
  }
  return trials;
}

/** Finds the eName of a row's owner. Out: undefined where no alternative gives one. Refuses: never. Source: S3 outbound rule 3. */
export function findOwner(path: OwnerPath, row: Entity): EName | undefined {
  return tryOwnerPath(path, row).at(-1)?.ename;
}

/**
 * Whether a row may have its record in the vault of `owner`: the first alternative that gives eNames gives that one too, or no
 * alternative gives any.
 *
 * Refuses: never.
 */
export function mayBelongTo({ alternatives }: OwnerPath, row: Entity, owner: string): boolean {
  for (const path of alternatives) {
    const enames: readonly string[] = toENames(readPath(path, row));
    if (enames.length > 0) return enames.includes(owner);
  }
  return true;
}

function toENames(value: unknown): readonly EName[] {
  if (Array.isArray(value)) return value.flatMap(toENames);
  if (typeof value !== "string") return [];
  if (isEName(value)) return [value];
  // Rows of the older family hold table(@eName) in such fields.
  const open = value.indexOf("(");
  const inner = open > 0 && value.endsWith(")") ? value.slice(open + 1, -1) : value;
  try {
    return [parseEName(inner)];
  } catch {
    return [];
  }
}
