import assert from "node:assert/strict";
import { valueTypeOf } from "@dataspace/protocol/meta-envelope";
import type { Expected, Operation } from "./operation.ts";
import { decidedPolicy } from "./oracle-access.ts";
import type { OraclePage } from "./oracle-reads.ts";
import type { OracleLogEntry, OracleRecord, OracleVersion } from "./oracle-state.ts";
import { oracleEnvelopeId } from "./oracle-writes.ts";

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
export type Answered = any;

/** What one operation was answered with: its data, or the code of the GraphQL error at it. */
export interface Outcome {
  readonly data: Answered;
  readonly code: string | undefined;
}

/** Shows records as the answer has them, for one owner, with `_acl` or without. */
export interface View {
  readonly owner: string;
  readonly policies: boolean;
}

/** What the answer to an operation must be, written down at once, since the oracle's records go on changing. */
export function expectAnswer(view: View, operation: Operation, expected: Expected): (outcome: Outcome) => void {
  if ("refused" in expected) return (outcome) => assertRefused(operation, expected.refused, outcome);
  const wanted = toAnswer(view, operation, expected.value);
  return (outcome) => {
    assert.equal(outcome.code, undefined, `refused with ${outcome.code} what the spec allows`);
    if (operation.do === "bulk") assertBulk(outcome.data, expected.value as BulkValue);
    else assert.deepEqual(tidy(operation, outcome.data), wanted);
  };
}

function assertRefused(operation: Operation, codes: readonly string[], { data, code }: Outcome): void {
  const given = code ?? data?.errors?.[0]?.code;
  assert.ok(codes.includes(given), `expected ${codes.join(" or ")}, got ${given ?? JSON.stringify(data)}`);
  if (data?.errors === undefined) return;
  const { errors, ...rest } = data;
  assert.equal(errors.length, 1);
  const empty = {
    remove: { deletedId: "id" in operation ? operation.id : undefined, success: false },
    bulk: { results: [], successCount: 0, errorCount: 0 },
    rollback: { metaEnvelope: null, version: null, restoredFromVersion: null },
  }[operation.do as "remove" | "bulk" | "rollback"] ?? { metaEnvelope: null };
  assert.deepEqual(rest, empty);
}

interface BulkValue {
  readonly results: readonly { readonly id: string; readonly success: boolean; readonly error: readonly string[] }[];
  readonly successCount: number;
  readonly errorCount: number;
}

function assertBulk({ results, successCount, errorCount, errors }: Answered, wanted: BulkValue): void {
  assert.deepEqual([successCount, errorCount, errors], [wanted.successCount, wanted.errorCount, []]);
  for (const [index, item] of wanted.results.entries()) {
    const { id, success, error } = results[index];
    assert.deepEqual([id, success], [item.id, item.success]);
    const code = error?.split(":")[0];
    assert.ok(item.success ? error === null : item.error.includes(code), `item ${index}: ${error}, not ${item.error}`);
  }
  assert.equal(results.length, wanted.results.length);
}

function toAnswer(view: View, operation: Operation, value: unknown): unknown {
  const record = (one: unknown) => showRecord(view, one as OracleRecord);
  switch (operation.do) {
    case "create":
    case "update":
      return { metaEnvelope: record(value), errors: [] };
    case "store":
    case "updateById":
      return { metaEnvelope: record(value) };
    case "remove":
      return { deletedId: operation.id, success: true, errors: [] };
    case "rollback": {
      const { metaEnvelope, ...versions } = value as { metaEnvelope: OracleRecord };
      return { metaEnvelope: record(metaEnvelope), ...versions, errors: [] };
    }
    case "read":
    case "getById":
      return value === null ? null : record(value);
    case "find":
    case "search":
      return (value as OracleRecord[]).map(record);
    case "all":
      return (value as OracleRecord[]).flatMap(showEnvelopes);
    case "list":
      return showPage(value as OraclePage<OracleRecord>, record);
    case "history":
      return showPage(value as OraclePage<OracleVersion>, (version) => version);
    case "logs": {
      const { items, hasNextPage } = value as OraclePage<OracleLogEntry>;
      return { logs: items.map(({ item }) => ({ ...item, eName: view.owner })), hasMore: hasNextPage };
    }
    default:
      return true;
  }
}

function showPage<Item>(
  { items, hasNextPage, hasPreviousPage, totalCount }: OraclePage<Item>,
  show: (item: Item) => unknown,
) {
  return { nodes: items.map(({ item }) => show(item)), hasNextPage, hasPreviousPage, totalCount };
}

/** A record as GraphQL shows it, its Envelopes by id; null where the one who changed its policy may not read it any more. */
function showRecord({ owner, policies }: View, record: OracleRecord) {
  if (record === null) return null;
  const shown = {
    id: record.id,
    ontology: record.ontology,
    parsed: { ...record.payload },
    envelopes: showEnvelopes(record),
  };
  return policies ? { ...shown, _acl: decidedPolicy(owner, record) } : shown;
}

function showEnvelopes({ id, payload }: OracleRecord) {
  return Object.entries(payload)
    .map(([key, value]) => ({
      id: oracleEnvelopeId(id, key),
      fieldKey: key,
      ontology: key,
      value,
      valueType: valueTypeOf(value),
    }))
    .sort(byId);
}

const byId = (a: { readonly id: string }, b: { readonly id: string }) => (a.id < b.id ? -1 : 1);

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

/** An answer without what nobody can foretell: cursors, log ids and times, whose form is checked here. */
function tidy(operation: Operation, data: Answered): unknown {
  switch (operation.do) {
    case "list":
    case "history": {
      const { edges, pageInfo, totalCount } = data;
      assert.equal(pageInfo.startCursor, edges[0]?.cursor ?? null);
      assert.equal(pageInfo.endCursor, edges.at(-1)?.cursor ?? null);
      const nodes = edges.map(({ node }: Answered) =>
        operation.do === "list" ? tidyRecord(node) : untimed(node, "createdAt"),
      );
      return { nodes, hasNextPage: pageInfo.hasNextPage, hasPreviousPage: pageInfo.hasPreviousPage, totalCount };
    }
    case "logs": {
      const logs = data.logs.map(({ id, ...entry }: Answered) => untimed(entry, "timestamp"));
      assert.equal(data.hasMore, data.nextCursor !== null);
      return { logs, hasMore: data.hasMore };
    }
    case "find":
    case "search":
      return data.map(tidyRecord);
    case "all":
      return groupByRecord(data);
    case "read":
    case "getById":
      return tidyRecord(data);
    default:
      return data?.metaEnvelope === undefined ? data : { ...data, metaEnvelope: tidyRecord(data.metaEnvelope) };
  }
}

function tidyRecord(record: Answered): unknown {
  if (record === null) return null;
  const tidied = { ...record, envelopes: record.envelopes.toSorted(byId) };
  if (record._acl != null) {
    const grants = record._acl.grants.toSorted((a: Answered, b: Answered) => (a.ename < b.ename ? -1 : 1));
    tidied._acl = { ...record._acl, grants };
  }
  return tidied;
}

// Envelopes of one record may come in any order; the records come in theirs.
function groupByRecord(envelopes: Answered[]): unknown {
  const recordOf = (id: string) => id.slice(0, id.lastIndexOf("."));
  const groups: Answered[][] = [];
  for (const envelope of envelopes) {
    const last = groups.at(-1);
    if (last !== undefined && recordOf(last[0].id) === recordOf(envelope.id)) last.push(envelope);
    else groups.push([envelope]);
  }
  return groups.flatMap((group) => group.sort(byId));
}

function untimed(entry: Answered, member: string): unknown {
  const { [member]: time, ...rest } = entry;
  assert.match(time, ISO);
  return rest;
}
