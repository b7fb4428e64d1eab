import { type Conversion, type Entry, type GlobalLookups, put, putList, readField } from "../conversion.ts";
import { countEach, type Path, readPath } from "../path.ts";

const FILE_URI = "ds://file?";

/**
 * `"k": "__file(avatar),avatarUrl"`: a file, `ds://file?id=@<eName>/<id>` in the payload.
 *
 * data: URIs and bytes are uploaded beforehand; other texts, "" and null stay; a URL that was made from a URI goes back as that URI.
 * Source: S3 "Mapping config"; decisions A3, V15.
 */
export function createFileEntry({
  localKey,
  local,
  target,
  column,
}: {
  readonly localKey: string;
  readonly local: Path;
  readonly target: Path;
  readonly column: number;
}): Entry {
  const isList = countEach(local) > 0;
  const writes = countEach(local) > 1 ? undefined : local;
  return {
    ...{ localKey, form: "file", target, reads: [local], writes, column },
    loss: writes === undefined ? "it joins lists of lists" : undefined,
    toGlobal: (row, conversion) => {
      const value = readPath(local, row);
      const out = (one: unknown): unknown => toUri(localKey, one, conversion);
      if (Array.isArray(value))
        put(
          conversion,
          target,
          value.map((one) => out(one) ?? null),
        );
      else if (isList && value !== null && value !== undefined)
        conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
      else put(conversion, target, out(value));
    },
    fromGlobal: (payload, conversion) => {
      const value = readField(target, payload);
      if (value === undefined || writes === undefined) return;
      const back = (one: unknown): unknown => (isFileUri(one) ? (conversion.lookups.file(one) ?? one) : one);
      const held = Array.isArray(value) ? value.map(back) : back(value);
      if (!isList) put(conversion, writes, held);
      else if (held === null || Array.isArray(held)) putList(conversion, writes, held);
      else conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
    },
  };
}

/** Whether a value names a file in a vault. Refuses: never. */
export function isFileUri(value: unknown): value is string {
  return typeof value === "string" && value.startsWith(FILE_URI);
}

/** Whether a value holds a file's bytes. Refuses: never. */
export function isFileContent(value: unknown): boolean {
  if (typeof value === "string") return value.startsWith("data:");
  return value instanceof Uint8Array || value instanceof Blob || value instanceof ReadableStream;
}

function toUri(localKey: string, value: unknown, { lookups, issues }: Conversion<GlobalLookups>): unknown {
  if (value === undefined || value === null || value === "" || isFileUri(value)) return value;
  if (typeof value === "string" || isFileContent(value))
    return lookups.fileUri(value) ?? (isFileContent(value) ? undefined : value);
  issues.push({ key: localKey, code: "NOT_A_FILE" });
  return undefined;
}
