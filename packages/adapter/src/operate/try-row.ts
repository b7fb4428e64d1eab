import { isDeepStrictEqual } from "node:util";
import { readField } from "../mapping/conversion.ts";
import { fromGlobal, toGlobal } from "../mapping/convert.ts";
import type { Mapping } from "../mapping/mapping.ts";
import { type OwnerTrial, tryOwnerPath } from "../mapping/owner-path.ts";
import { toJsonPayload } from "../sync/payload-fields.ts";
import type { Row } from "../sync/table-access.ts";

/** What a mapping makes of one row. */
export interface RowTrial {
  readonly payload: Row;
  readonly back: Row;
  /** The local keys whose value is another after the way out and back, or that were left out, each with the reason. */
  readonly lost: readonly { readonly key: string; readonly why: string }[];
  /** The alternatives of the owner path, up to the one that gave an eName. */
  readonly owner: readonly OwnerTrial[];
}

/**
 * Takes a row out, back and out again, with ids that stand for every relation; nothing is asked or written.
 *
 * Refuses: RowFault.
 */
export function tryRow(mapping: Mapping, row: Row): RowTrial {
  const globals = { globalId: (table: string, localId: string) => `${table}:${localId}`, fileUri: () => undefined };
  const locals = {
    localId: (table: string, globalId: string) => globalId.slice(table.length + 1),
    file: () => undefined,
  };
  const out = toGlobal(mapping, row, globals);
  const payload = toJsonPayload(out.result);
  const { result: back } = fromGlobal(mapping, payload, locals);
  const again = toJsonPayload(toGlobal(mapping, back, globals).result);
  const changed = mapping.entries.filter(
    ({ target }) => !isDeepStrictEqual(readField(target, payload), readField(target, again)),
  );
  const lost = [
    ...out.issues.map(({ key, code }) => ({ key, why: code })),
    ...changed.map(({ localKey, loss }) => ({ key: localKey, why: loss ?? "another value comes back" })),
  ];
  return { payload, back, lost, owner: tryOwnerPath(mapping.ownerEnamePath, row) };
}
