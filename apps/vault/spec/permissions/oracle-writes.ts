import { isDeepStrictEqual } from "node:util";
import type { Input, Of, Request } from "./act.ts";
import { decide, mayCreate } from "./oracle-decision.ts";
import { isSelfManifest } from "./oracle-groups.ts";
import { type Fault, fault, type Ruling, rule } from "./ruling.ts";
import { not, type Verdict } from "./verdict.ts";
import { BINDING, isOwner, type Need, type Payload, type StoredRecord, type World } from "./world.ts";

type Record = { readonly ontology: string; readonly payload: Payload };

/** createMetaEnvelope, one item of bulkCreateMetaEnvelopes, and uploadFile. Source: decisions V5, V12, V14, V22, V23. */
export function ruleCreate(request: Request, input: Input, id?: string): Ruling {
  const { party, caller } = request;
  if (caller.kind === "anonymous") return rule([fault(true, "UNAUTHENTICATED")]);
  const may = mayCreate(party, caller);
  return rule([
    fault(!may, "FORBIDDEN"),
    fault(input.ontology === BINDING, "USE_BINDING_DOCUMENT_MUTATION"),
    fault(input._acl != null && !isOwner(party, caller), "FORBIDDEN"),
    fault(may && id !== undefined && party.records.has(id), "ID_EXISTS"),
    fault(touchesSelfManifest(request, [input]), "FORBIDDEN"),
  ]);
}

/** storeMetaEnvelope: whoever may not create is a stranger. Source: decisions I3, V12, V23. */
export function ruleStore(request: Request, { input }: Of<"create" | "store">): Ruling {
  const { party, caller, server } = request;
  if (mayCreate(party, caller)) return ruleCreate(request, input);
  const manifest = touchesSelfManifest(request, [input]);
  return rule([
    fault(server === "deny", "UNAUTHENTICATED", "FORBIDDEN"),
    fault(input._acl != null || input.ontology === BINDING, "UNAUTHENTICATED", "USE_BINDING_DOCUMENT_MUTATION"),
    fault(manifest ? (server === "allow" ? "yes" : "unclear") : "no", "FORBIDDEN"),
  ]);
}

/** updateMetaEnvelope and updateMetaEnvelopeById. Source: decisions V4, V14, V22, V23. */
export function ruleUpdate(world: World, request: Request, { id, input }: Of<"update" | "updateById">): Ruling {
  const { party, caller } = request;
  const record = party.records.get(id);
  const intoBinding = fault(input.ontology === BINDING, "USE_BINDING_DOCUMENT_MUTATION");
  if (record === undefined || record.removed || caller.kind === "anonymous")
    return rule([fault(true, ...absent(request).codes), intoBinding]);
  const owner = isOwner(party, caller);
  const replaces = input._acl !== undefined && input.ontology === record.ontology && isEmpty(input.payload);
  const after = { ontology: input.ontology, payload: { ...record.payload, ...input.payload } };
  const changesPolicy = input._acl !== undefined && !isDeepStrictEqual(input._acl, record.policy);
  const revokes = owner && input._acl === null && input.acl === undefined;
  return rule([
    ...(owner && replaces ? [] : guard(world, { request, record }, "UPDATE")),
    fault(changesPolicy && !owner, "ACL_CHANGE_FORBIDDEN", "FORBIDDEN"),
    fault(revokes ? (record.policy === null ? "unclear" : "yes") : "no", "INVALID_ACL"),
    fault(record.ontology === BINDING, "USE_BINDING_DOCUMENT_MUTATION"),
    intoBinding,
    ...manifestFault(world, { request, record }, [record, after]),
  ]);
}

/** updateEnvelopeValue. Source: decisions V9, V14, V23. */
export function ruleUpdateValue(world: World, request: Request, act: Of<"updateValue">): Ruling {
  const { party, caller } = request;
  const record = party.records.get(act.id);
  if (record === undefined || record.removed || caller.kind === "anonymous") return absent(request);
  const after = { ontology: record.ontology, payload: { ...record.payload, [act.field]: act.newValue } };
  return rule([
    ...guard(world, { request, record }, "UPDATE"),
    fault(!Object.hasOwn(record.payload, act.field), "NOT_FOUND"),
    fault(record.ontology === BINDING, "USE_BINDING_DOCUMENT_MUTATION"),
    ...manifestFault(world, { request, record }, [record, after]),
  ]);
}

/** removeMetaEnvelope and deleteMetaEnvelope. Source: decisions V13, V14, V23. */
export function ruleRemove(world: World, request: Request, { id }: Of<"remove" | "deleteById">): Ruling {
  const { party, caller } = request;
  const record = party.records.get(id);
  if (record === undefined || record.removed || caller.kind === "anonymous") return absent(request);
  return rule([...guard(world, { request, record }, "DELETE"), ...manifestFault(world, { request, record }, [record])]);
}

/** rollbackMetaEnvelope. Source: S1 "States and transitions"; decisions V4, V14, V23. */
export function ruleRollback(world: World, request: Request, { id, version }: Of<"rollback">): Ruling {
  const { party, caller } = request;
  const record = party.records.get(id);
  if (record === undefined || caller.kind === "anonymous") return absent(request);
  const restored = record.versions[version - 1];
  const concerned = [record, ...(restored === undefined ? [] : [restored])];
  return rule([
    ...guard(world, { request, record }, "UPDATE"),
    fault(restored === undefined, "VERSION_NOT_FOUND"),
    fault(restored?.operation === "delete", "VERSION_IS_DELETE"),
    fault(record.ontology === BINDING || restored?.ontology === BINDING, "USE_BINDING_DOCUMENT_MUTATION"),
    ...manifestFault(world, { request, record }, concerned),
  ]);
}

/** What somebody who reaches no record is refused with. */
export function absent({ caller }: Request): Ruling {
  return rule([fault(true, caller.kind === "anonymous" ? "UNAUTHENTICATED" : "NOT_FOUND")]);
}

interface Target {
  readonly request: Request;
  readonly record: StoredRecord;
}

/** Without the permission it is FORBIDDEN for whoever may read the record, else NOT_FOUND. Source: decision V13. */
function guard(world: World, { request, record }: Target, need: Need): readonly Fault[] {
  const question = { ...request, record };
  const read = decide(world, question, "READ");
  const refused = not(decide(world, question, need));
  return [fault(refused, ...codesOf(read))];
}

function codesOf(read: Verdict): readonly string[] {
  return { yes: ["FORBIDDEN"], no: ["NOT_FOUND"], unclear: ["FORBIDDEN", "NOT_FOUND"] }[read];
}

function manifestFault(world: World, { request, record }: Target, concerned: readonly Record[]): readonly Fault[] {
  const read = decide(world, { ...request, record }, "READ");
  return [fault(touchesSelfManifest(request, concerned), "FORBIDDEN", ...(read === "yes" ? [] : ["NOT_FOUND"]))];
}

/** In a vault with a key a self-manifest is the owner's alone. Source: decision V23. */
function touchesSelfManifest({ party, caller }: Request, concerned: readonly Record[]): boolean {
  if (party.keys.length === 0 || isOwner(party, caller)) return false;
  return concerned.some((record) => isSelfManifest(party, record));
}

const isEmpty = (payload: Payload) => Object.keys(payload).length === 0;
