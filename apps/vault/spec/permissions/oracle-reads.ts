import { inspect, isDeepStrictEqual } from "node:util";
import type { Answered, Outcome } from "../model/answers.ts";
import type { Act, Filter, Request } from "./act.ts";
import { decide } from "./oracle-decision.ts";
import { allOf, type Verdict, verdictOf } from "./verdict.ts";
import { BINDING, FILE, isOwner, type StoredRecord, type World } from "./world.ts";

/** Holds the answer to a read against the oracle. Out: what is wrong with it, if anything. Source: decisions V3, V10, V13, V27. */
export function checkRead(world: World, request: Request, { data, code }: Outcome): string | undefined {
  const { act, caller } = request;
  if (caller.kind === "anonymous")
    return code === "UNAUTHENTICATED" ? undefined : `no credential, but ${code ?? inspect(data)}`;
  if (act.do === "file") return checkFile(world, request, { data, code });
  if (code !== undefined) return `refused with ${code}`;
  switch (act.do) {
    case "read":
    case "getById":
      return checkOne(request.party.records.get(act.id), data, (record) => sees(world, request, record));
    case "history":
      return checkHistory(world, request, { id: act.id, data });
    case "logs":
      return checkLogs(world, request, data.logs);
    default:
      return checkList(world, request, data);
  }
}

function sees(world: World, request: Request, record: StoredRecord): Verdict {
  return record.removed ? "no" : decide(world, { ...request, record }, "READ");
}

function checkOne(
  record: StoredRecord | undefined,
  data: Answered,
  visible: (record: StoredRecord) => Verdict,
): string | undefined {
  const verdict = record === undefined ? "no" : visible(record);
  if (data === null) return verdict === "yes" ? "null, though the caller has READ" : undefined;
  if (verdict === "no") return "shown, though the caller has no READ";
  return isSame(record as StoredRecord, data) ? undefined : `shown as ${inspect(data)}`;
}

function isSame(record: StoredRecord, data: Answered): boolean {
  if (data.id !== record.id || data.ontology !== record.ontology) return false;
  return record.content !== undefined || isDeepStrictEqual({ ...data.parsed }, { ...record.payload });
}

function checkFile(world: World, request: Request, { data, code }: Outcome): string | undefined {
  const record = request.party.records.get((request.act as { id: string }).id);
  const isFile = record?.content !== undefined && record.ontology === FILE;
  const verdict = isFile ? sees(world, request, record) : "no";
  if (code !== undefined) return code === "NOT_FOUND" && verdict !== "yes" ? undefined : `refused with ${code}`;
  if (verdict === "no") return `gave the bytes ${data}, though the caller has no READ of a file`;
  return data === record?.content ? undefined : `gave other bytes: ${data}`;
}

function checkHistory(
  world: World,
  request: Request,
  { id, data }: { readonly id: string; readonly data: Answered },
): string | undefined {
  const record = request.party.records.get(id);
  const verdict = record === undefined ? "no" : decide(world, { ...request, record }, "READ");
  const count = data.edges.length;
  if (count !== data.totalCount) return `${count} versions, but totalCount ${data.totalCount}`;
  if (count === 0) return verdict === "yes" ? "an empty history, though the caller has READ" : undefined;
  if (verdict === "no") return "a history, though the caller has no READ";
  return count === record?.versions.length ? undefined : `${count} versions of ${record?.versions.length}`;
}

function checkLogs(world: World, request: Request, logs: readonly Answered[]): string | undefined {
  const { party, caller } = request;
  const counts = new Map<string, number>();
  for (const { metaEnvelopeId } of logs) counts.set(metaEnvelopeId, (counts.get(metaEnvelopeId) ?? 0) + 1);
  const cut = logs.length >= 100;
  for (const record of party.records.values()) {
    const verdict = isOwner(party, caller) ? "yes" : decide(world, { ...request, record }, "READ");
    const count = counts.get(record.id) ?? 0;
    if (count > 0 && verdict === "no") return `log entries of ${record.id}, of which the caller has no READ`;
    if (!cut && verdict === "yes" && count !== record.versions.length)
      return `${count} log entries of ${record.id}, which has ${record.versions.length} versions`;
  }
  return [...counts.keys()].every((id) => party.records.has(id)) ? undefined : "log entries of another vault";
}

/** A list holds, in creation order, what the caller sees of what it asks for, and counts the same. */
function checkList(world: World, request: Request, data: Answered): string | undefined {
  const { act, party } = request;
  const ids = idsOf(act, data);
  if (data.totalCount !== undefined && data.totalCount !== ids.length && ids.length < 100)
    return `${ids.length} records, but totalCount ${data.totalCount}`;
  const asked = [...party.records.values()].map((record) => ({
    id: record.id,
    verdict: allOf([sees(world, request, record), verdictOf(isAsked(act, record))]),
  }));
  const wrong = asked.filter(({ id, verdict }) => verdict === (ids.includes(id) ? "no" : "yes"));
  if (wrong.length > 0)
    return `lists ${ids.join()}; wrong about ${wrong.map(({ id, verdict }) => `${id} (${verdict})`)}`;
  const order = asked.map(({ id }) => id).filter((id) => ids.includes(id));
  return order.length === ids.length ? undefined : `lists ${ids.join()}, which is not ${order.join()}`;
}

function idsOf(act: Act, data: Answered): readonly string[] {
  if (act.do === "all") return [...new Set<string>(data.map(({ id }: Answered) => id.slice(0, id.lastIndexOf("."))))];
  return (data.edges ?? data).map((entry: Answered) => (entry.node ?? entry).id);
}

function isAsked(act: Act, { ontology, payload }: StoredRecord): boolean {
  switch (act.do) {
    case "list":
      return meets(act.filter, ontology, payload);
    case "find":
      return ontology === act.ontology;
    case "search":
      return meets({ ontologyId: act.ontology, search: act }, ontology, payload);
    case "bindings":
      return ontology === BINDING;
    default:
      return Object.keys(payload).length > 0;
  }
}

function meets({ ontologyId, search }: Filter, ontology: string, payload: object): boolean {
  if (ontologyId !== undefined && ontologyId !== ontology) return false;
  if (search === undefined) return true;
  return Object.values(payload).some((value) => {
    const text = typeof value === "string" ? value : JSON.stringify(value);
    return text.toLowerCase().includes(search.term.toLowerCase());
  });
}
