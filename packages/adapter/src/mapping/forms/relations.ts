import { type Entry, listPathOf, put, putList, readField } from "../conversion.ts";
import { countEach, type Path, readPath } from "../path.ts";
import { findGlobalId, findLocalId, type RelationText } from "./relation.ts";

/**
 * `"k": "users(ps[].id),ids"` and `"k": "users(ps)[],ids"`: the global ids of several rows, in order, duplicates included.
 *
 * A list that is absent stays absent and is never empty: a relation that was not loaded must not erase its members. An unknown
 * element is left out until its row is known. Source: S3 "Mapping config"; decision A3.
 */
export function createRelationsEntry(relation: RelationText, keyPath: Path): Entry {
  const { localKey, table, local, target, column, format } = relation;
  const depth = countEach(local);
  const writes = depth > 1 ? undefined : format === "path" ? local : keyPath;
  const losses = { nested: "it joins lists of lists", text: "it comes back as texts table(id)" };
  return {
    ...{ localKey, form: "relations", table, target, reads: [local], writes, column },
    loss: depth > 1 ? losses.nested : format === "path" ? undefined : losses.text,
    toGlobal: (row, conversion) => {
      const list = readPath(local, row);
      if (list === null) return put(conversion, target, null);
      if (list === undefined && (depth === 0 || readPath(listPathOf(local), row) === undefined)) return;
      if (!Array.isArray(list)) return void conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
      const ids = list.map((element) => findGlobalId(relation, conversion, element));
      put(
        conversion,
        target,
        ids.filter((id) => id !== undefined),
      );
    },
    fromGlobal: (payload, conversion) => {
      const list = readField(target, payload);
      if (list === undefined || writes === undefined) return;
      if (list !== null && !Array.isArray(list)) {
        conversion.issues.push({ key: localKey, code: "NOT_A_LIST" });
        return;
      }
      const known = (list ?? [])
        .map((element) => findLocalId(relation, conversion, element))
        .filter((id) => id !== undefined);
      const ids = list === null ? null : known;
      if (countEach(writes) === 1) putList(conversion, writes, ids);
      else put(conversion, writes, ids);
    },
  };
}
