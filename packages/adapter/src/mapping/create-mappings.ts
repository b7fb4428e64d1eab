import type { Entry } from "./conversion.ts";
import { groupBy } from "./group-by.ts";
import type { Mapping, Mappings } from "./mapping.ts";
import { InvalidMappings, type MappingFault } from "./mapping-fault.ts";
import { keyOf, parseMapping } from "./parse-mapping.ts";

/** A mapping as JSON, and where it comes from. */
export interface MappingDocument {
  readonly file: string;
  readonly document: unknown;
}

/**
 * Reads the mappings of a platform and checks them with each other.
 *
 * Refuses: InvalidMappings with every fault: those of single mappings, a table that is mapped twice, a relation to a table without
 * a mapping, and cycles. Source: S3 "Mapping config"; decision A3.
 */
export function createMappings(documents: readonly MappingDocument[]): Mappings {
  const parsed = documents.map(({ file, document }) => parseMapping(file, document));
  const faults = parsed.flatMap((one) => ("faults" in one ? one.faults : []));
  const list = parsed.flatMap((one) => ("mapping" in one ? [one.mapping] : []));
  const byTable = new Map(list.map((mapping) => [mapping.tableName, mapping]));
  const names = new Set([...byTable.keys(), ...documents.map(({ document }) => tableNameOf(document))]);
  const found = [
    ...faults,
    ...list.flatMap((mapping) => findDoubles(mapping, byTable)),
    ...list.flatMap((mapping) => findMissingRelations(mapping, names)),
    ...list.flatMap(findCalculationCycles),
    ...findReferenceCycles(documents, byTable),
  ];
  if (found.length > 0) throw new InvalidMappings(found);
  return { list, byTable, bySchema: groupBy(list, ({ schemaId }) => schemaId) };
}

function tableNameOf(document: unknown): unknown {
  return (document as { readonly tableName?: unknown } | null)?.tableName;
}

function faultAt(
  { file }: Mapping,
  { localKey, column }: Entry,
  fault: Pick<MappingFault, "code" | "message">,
): MappingFault {
  return { ...fault, file, key: keyOf(localKey), column };
}

function findDoubles(mapping: Mapping, byTable: ReadonlyMap<string, Mapping>): readonly MappingFault[] {
  const last = byTable.get(mapping.tableName);
  if (last === undefined || last === mapping) return [];
  const message = `${last.file} maps the table ${mapping.tableName} too.`;
  return [{ code: "DUPLICATE_TABLE", file: mapping.file, key: "tableName", column: 1, message }];
}

function findMissingRelations(mapping: Mapping, tables: ReadonlySet<unknown>): readonly MappingFault[] {
  return mapping.entries
    .filter(({ table }) => table !== undefined && !tables.has(table))
    .map((entry) =>
      faultAt(mapping, entry, {
        code: "MISSING_RELATION",
        message: `No mapping has the tableName ${entry.table}, so its rows never get a global id.`,
      }),
    );
}

/** Fields that are calculated from each other have no value to begin with. */
function findCalculationCycles(mapping: Mapping): readonly MappingFault[] {
  const calculated = new Map(
    mapping.entries
      .filter(({ form, reads }) => form === "calc" || (form === "date" && reads.length > 0))
      .map((entry) => [entry.localKey, entry]),
  );
  const next = (key: string): readonly string[] =>
    (calculated.get(key)?.reads ?? []).map(({ text }) => text).filter((text) => text !== key && calculated.has(text));
  return findCycles([...calculated.keys()], next).map(([first = "", ...others]) =>
    faultAt(mapping, calculated.get(first) as Entry, {
      code: "CYCLE",
      message: `${[first, ...others, first].join(" is calculated from ")}.`,
    }),
  );
}

/** Tables that must each wait for the other's record can never begin. */
function findReferenceCycles(
  documents: readonly MappingDocument[],
  byTable: ReadonlyMap<string, Mapping>,
): readonly MappingFault[] {
  const waiting = new Set(
    documents.filter(({ document }) => waits(document)).map(({ document }) => tableNameOf(document)),
  );
  const relations = (table: string): readonly Entry[] =>
    (byTable.get(table)?.entries ?? []).filter((entry) => entry.table !== undefined && entry.table !== table);
  const next = (table: string): readonly string[] =>
    relations(table).flatMap((entry) => (waiting.has(entry.table) ? [String(entry.table)] : []));
  const tables = [...byTable.keys()].filter((table) => waiting.has(table));
  return findCycles(tables, next).map(([first = "", second = first, ...others]) => {
    const entry = relations(first).find(({ table }) => table === second) as Entry;
    const way = [first, second, ...others, first].join(" waits for ");
    return faultAt(byTable.get(first) as Mapping, entry, {
      code: "CYCLE",
      message: `With unknownReference error, ${way}: none of them can be written first.`,
    });
  });
}

function waits(document: unknown): boolean {
  return (document as { readonly unknownReference?: unknown } | null)?.unknownReference === "error";
}

/** Finds cycles of two or more, each once, from its first member. */
function findCycles(
  nodes: readonly string[],
  next: (node: string) => readonly string[],
): readonly (readonly string[])[] {
  const done = new Set<string>();
  const cycles: (readonly string[])[] = [];
  const visit = (node: string, way: readonly string[]): void => {
    const at = way.indexOf(node);
    if (at >= 0) return void cycles.push(way.slice(at));
    if (done.has(node)) return;
    for (const other of next(node)) visit(other, [...way, node]);
    done.add(node);
  };
  for (const node of nodes) visit(node, []);
  return cycles;
}
