import { type Entry, listPathOf, put, putList, readField } from "../conversion.ts";
import { countEach, type Path, readPath } from "../path.ts";

/** `"a": "A"`, `"p.name": "N"` and `"images[].src": "urls"`: a value under another name. Source: S3 "Mapping config". */
export function createFieldEntry({
  localKey,
  local,
  target,
}: {
  readonly localKey: string;
  readonly local: Path;
  readonly target: Path;
}): Entry {
  const lists = countEach(local);
  const shared = { localKey, form: "field" as const, target, reads: [local], column: 1 };
  if (lists === 0) {
    return {
      ...shared,
      writes: local,
      loss: undefined,
      toGlobal: (row, conversion) => put(conversion, target, readPath(local, row)),
      fromGlobal: (payload, conversion) => put(conversion, local, readField(target, payload)),
    };
  }
  const writes = lists === 1 ? local : undefined;
  const list = listPathOf(local);
  return {
    ...shared,
    writes,
    loss: lists === 1 ? undefined : "it joins lists of lists",
    toGlobal: (row, conversion) => {
      const value = readPath(local, row);
      if (Array.isArray(value))
        put(
          conversion,
          target,
          value.map((element) => element ?? null),
        );
      else if (value === null) put(conversion, target, null);
      else if (value !== undefined || readPath(list, row) !== undefined)
        conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
    },
    fromGlobal: (payload, conversion) => {
      const value = readField(target, payload);
      if (value === undefined || writes === undefined) return;
      if (value === null || Array.isArray(value)) putList(conversion, writes, value);
      else conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
    },
  };
}
