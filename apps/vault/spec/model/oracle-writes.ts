import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Asker, Expected, Input, Operation, PolicyInput } from "./operation.ts";
import { type BITS, oracleAllows, oracleMayCreate } from "./oracle-access.ts";
import { inputFaults, readEntry, valueFaults } from "./oracle-input.ts";
import { type OracleRecord, type OracleState, type Payload, type Write, write } from "./oracle-state.ts";

/** A write of one asker: by it, with a token that has served its writing request or not, to what it gave ids to. */
export interface WriteContext {
  readonly owner: string;
  readonly state: OracleState;
  readonly asker: Asker;
  readonly tokenSpent: boolean;
  /** The ids that the vault gave to what it created, in order. */
  readonly newIds: readonly string[];
}

type Of<Name extends Operation["do"]> = Extract<Operation, { do: Name }>;
const SPENT: Expected = { refused: ["TOKEN_SPENT"] };

/** createMetaEnvelope and storeMetaEnvelope. Source: decisions V12, I3. */
export function oracleCreate(context: WriteContext, operation: Of<"create" | "store">): Expected {
  const { owner, asker } = context;
  const mayCreate = oracleMayCreate(owner, asker);
  const faults = [...inputFaults(operation.input)];
  if (operation.do === "create" && asker.kind === "anonymous") faults.push("UNAUTHENTICATED");
  else if (operation.do === "create" && !mayCreate) faults.push("FORBIDDEN");
  if (setsPolicyUnasked(asker, operation.input)) faults.push("FORBIDDEN");
  if (operation.do === "store" && !mayCreate) {
    if (operation.input._acl != null || faults.includes("USE_BINDING_DOCUMENT_MUTATION")) {
      faults.push("UNAUTHENTICATED");
    }
  }
  if (faults.length > 0) return { refused: faults };
  if (context.tokenSpent) return SPENT;
  const by = mayCreate ? asker : { platform: null, author: null };
  const record = insert(context, {
    id: context.newIds[0] ?? "none",
    input: operation.input,
    by,
    quarantined: !mayCreate,
  });
  return { value: record };
}

/** Only the owner sets a policy at creation. Source: decision V22. */
function setsPolicyUnasked({ kind }: Asker, { _acl }: Input): boolean {
  return kind === "platform" && _acl != null;
}

function insert(
  { owner, state }: WriteContext,
  given: {
    readonly id: string;
    readonly input: Input;
    readonly by: Pick<Asker, "platform" | "author">;
    readonly quarantined: boolean;
  },
): OracleRecord {
  const { id, input, by, quarantined } = given;
  if (state.records.has(id)) throw new Error(`the vault gave the id ${id} twice`);
  const policy = input._acl ?? null;
  const payload = input.payload as Payload;
  const record: OracleRecord = {
    id,
    place: state.records.size,
    ontology: input.ontology,
    payload,
    acl: policy === null ? (input.acl?.map(readEntry) ?? [owner]) : [owner],
    policy,
    removed: false,
    quarantined,
    versions: [],
  };
  state.records.set(id, record);
  const hashed = { id, ontology: input.ontology, payload };
  write(state, { record, asker: by, operation: "create", hashed, becomes: {} });
  return record;
}

/** bulkCreateMetaEnvelopes: each item by itself. Source: decision V5. */
export function oracleBulk(context: WriteContext, { inputs }: Of<"bulk">): Expected {
  const { owner, asker, state } = context;
  if (!asker.bearer) return { refused: ["UNAUTHENTICATED"] };
  const taken = new Set(state.records.keys());
  const items = inputs.map((input, index) => {
    const faults = [...inputFaults(input)];
    if (!oracleMayCreate(owner, asker) || setsPolicyUnasked(asker, input)) faults.push("FORBIDDEN");
    if (input.id !== undefined && !/^[A-Za-z0-9._:@-]{1,128}$/.test(input.id)) faults.push("INVALID_ID");
    if (input.id !== undefined && taken.has(input.id)) faults.push("ID_EXISTS");
    const id = input.id ?? context.newIds[index] ?? "none";
    if (faults.length === 0) taken.add(id);
    return { id: faults.length === 0 ? id : (input.id ?? "unknown"), input, faults };
  });
  const good = items.filter(({ faults }) => faults.length === 0);
  if (good.length > 0 && context.tokenSpent) return SPENT;
  for (const { id, input } of good) insert(context, { id, input, by: asker, quarantined: false });
  return {
    value: {
      results: items.map(({ id, faults }) => ({ id, success: faults.length === 0, error: faults })),
      successCount: good.length,
      errorCount: items.length - good.length,
    },
  };
}

/** updateMetaEnvelope and updateMetaEnvelopeById. Source: decisions V4, V11, V22. */
export function oracleUpdate(context: WriteContext, operation: Of<"update" | "updateById">): Expected {
  const { id, input } = operation;
  const { owner, asker, state } = context;
  const record = state.records.get(id);
  const isOwner = asker.kind === "person" && asker.ename === owner;
  const replacesPolicy =
    isOwner &&
    record?.removed === false &&
    input._acl !== undefined &&
    input.ontology === record.ontology &&
    Object.keys(input.payload as object).length === 0;
  const faults = [...inputFaults(input), ...(replacesPolicy ? [] : accessFaults(context, id, "UPDATE"))];
  if (!isOwner && input._acl !== undefined && !samePolicy(input._acl, record?.policy ?? null)) {
    faults.push("ACL_CHANGE_FORBIDDEN");
  }
  if (isOwner && input._acl === null && input.acl == null && record?.policy != null) faults.push("INVALID_ACL");
  const patch = input.payload as Payload;
  const hashed = { id, ontology: input.ontology, payload: patch };
  const result = change(context, { id, faults }, (found) => {
    const policy = isOwner && input._acl !== undefined ? input._acl : found.policy;
    const acl = isOwner && input.acl != null && policy === null ? input.acl.map(readEntry) : found.acl;
    return {
      operation: "update",
      hashed,
      becomes: {
        ontology: input.ontology,
        payload: { ...found.payload, ...patch },
        policy,
        acl: policy === null ? acl : [owner],
      },
    };
  });
  const answered = shown(context, result);
  // The old result has no null: who may not read is shown what they sent.
  const sent = { id, ontology: input.ontology, payload: patch, acl: [owner], policy: null, quarantined: false };
  return operation.do === "updateById" && "value" in answered && answered.value === null ? { value: sent } : answered;
}

/** A changed record, or null where the one who changed it may not read it. */
function shown({ owner, asker }: WriteContext, result: Expected): Expected {
  if ("refused" in result) return result;
  return oracleAllows(owner, result.value as OracleRecord, asker, "READ") ? result : { value: null };
}

/** removeMetaEnvelope and deleteMetaEnvelope. */
export function oracleRemove(context: WriteContext, { id }: Of<"remove" | "deleteById">): Expected {
  const faults = accessFaults(context, id, "DELETE");
  return change(context, { id, faults }, () => ({ operation: "delete", hashed: { id }, becomes: { removed: true } }));
}

/** rollbackMetaEnvelope. */
export function oracleRollback(context: WriteContext, { id, version }: Of<"rollback">): Expected {
  const access = accessFaults(context, id, "UPDATE", "removed too");
  const restored = context.state.records.get(id)?.versions[version - 1];
  const faults = [...(version < 1 ? ["INVALID_VERSION"] : []), ...access];
  if (faults.length === 0 && restored === undefined) faults.push("VERSION_NOT_FOUND");
  if (faults.length === 0 && restored?.operation === "delete") faults.push("VERSION_IS_DELETE");
  const result = change(context, { id, faults }, (found) => {
    const { ontology, parsed } = restored!;
    return {
      operation: found.removed ? "create" : "update",
      hashed: { id, ontology, payload: parsed },
      restoredFrom: version,
      becomes: { ontology, payload: parsed!, removed: false },
    };
  });
  if ("refused" in result) return result;
  const record = result.value as OracleRecord;
  const { value: metaEnvelope } = shown(context, result) as { readonly value: OracleRecord | null };
  return { value: { metaEnvelope, version: record.versions.length, restoredFromVersion: version } };
}

/** updateEnvelopeValue. Source: decisions V9, V10. */
export function oracleUpdateValue(context: WriteContext, { id, field, newValue }: Of<"updateValue">): Expected {
  const record = context.state.records.get(id);
  const faults = [...valueFaults(newValue), ...accessFaults(context, id, "UPDATE")];
  if (record === undefined || !Object.hasOwn(record.payload, field)) faults.push("NOT_FOUND");
  const envelopeId = oracleEnvelopeId(id, field);
  const result = change(context, { id, faults }, (found) => ({
    operation: "update",
    logOperation: "update_envelope_value",
    hashed: { id: envelopeId, ontology: found.ontology, payload: { envelopeId, newValue } },
    becomes: { payload: { ...found.payload, [field]: newValue } },
  }));
  return "refused" in result ? result : { value: true };
}

/** The id of one Envelope. Source: decision V6. */
export function oracleEnvelopeId(id: string, field: string): string {
  return `${id}.${Buffer.from(field).toString("base64url")}`;
}

/** The one code with which access is refused, if it is. Source: decisions V4, V13. */
function accessFaults(
  { owner, asker, state }: WriteContext,
  id: string,
  need: keyof typeof BITS,
  removedToo?: "removed too",
): readonly string[] {
  if (asker.kind === "anonymous") return ["UNAUTHENTICATED"];
  const record = state.records.get(id);
  if (record === undefined || (record.removed && removedToo === undefined)) return ["NOT_FOUND"];
  if (oracleAllows(owner, record, asker, need)) return [];
  return [oracleAllows(owner, record, asker, "READ") ? "FORBIDDEN" : "NOT_FOUND"];
}

function change(
  { state, asker, tokenSpent }: WriteContext,
  { id, faults }: { readonly id: string; readonly faults: readonly string[] },
  draft: (found: OracleRecord) => Omit<Write, "record" | "asker">,
): Expected {
  if (faults.length > 0) return { refused: faults };
  if (tokenSpent) return SPENT;
  const record = state.records.get(id)!;
  write(state, { record, asker, ...draft(record) });
  return { value: record };
}

function samePolicy(one: PolicyInput | null, other: PolicyInput | null): boolean {
  return one === null || other === null ? one === other : canonicalPolicy(one) === canonicalPolicy(other);
}

/** A policy with every member there, as text. Source: decision V11. */
export function canonicalPolicy({ grants, denials, default_perms, require }: PolicyInput): string {
  const whole: JsonValue = {
    v: 1,
    grants: [...(grants ?? [])].map(({ ename, perms }) => ({ ename, perms })),
    denials: { enames: [...(denials?.enames ?? [])], conditions: [] },
    default_perms: default_perms ?? 0,
    require: [...(require ?? [])],
  };
  return JSON.stringify(whole);
}
