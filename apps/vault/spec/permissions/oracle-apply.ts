import type { Input, Request } from "./act.ts";
import {
  isOwner,
  type Payload,
  type StoredBinding,
  type StoredRecord,
  type StoredVersion,
  type World,
} from "./world.ts";

/** A record that was accepted, with what the answer says of it. */
export interface Created {
  readonly id: string;
  readonly input: Input;
  readonly quarantined: boolean;
  readonly binding?: StoredBinding;
  readonly content?: string;
}

/** Notes a new record. */
export function applyCreate(world: World, request: Request, created: Created): void {
  const { party } = request;
  const { id, input, ...more } = created;
  if (party.records.has(id)) throw new Error(`the vault gave the id ${id} twice`);
  const record: StoredRecord = {
    ...more,
    id,
    place: party.records.size,
    ontology: input.ontology,
    payload: input.payload,
    acl: input.acl ?? [party.ename],
    policy: input._acl ?? null,
    removed: false,
    versions: [],
  };
  party.records.set(id, record);
  append(world, { request, record, operation: "create", said: input.payload });
}

interface Written {
  readonly request: Request;
  readonly record: StoredRecord;
  readonly operation: StoredVersion["operation"];
  readonly said: Payload;
}

/** Notes a new version of a record; the owner's write, but for a removal, ends the quarantine. Source: decisions I3, V8. */
export function append(world: World, { request, record, operation, said }: Written): void {
  const byOwner = isOwner(request.party, request.caller);
  if (byOwner && operation !== "delete" && record.versions.length > 0) record.quarantined = false;
  world.writes += 1;
  const { ontology, payload } = record;
  record.versions.push({ operation, ontology, payload, said, byOwner, order: world.writes });
}

/** Notes a patch. An array or a policy is the owner's to change. Source: decisions V4, V22; decision V11. */
export function applyUpdate(world: World, request: Request, record: StoredRecord, input: Input): void {
  const owner = isOwner(request.party, request.caller);
  if (owner && input._acl !== undefined) record.policy = input._acl;
  if (owner && input.acl !== undefined && record.policy === null) record.acl = input.acl;
  record.ontology = input.ontology;
  record.payload = { ...record.payload, ...input.payload };
  append(world, { request, record, operation: "update", said: input.payload });
}

/** Notes a removal. */
export function applyRemove(world: World, request: Request, record: StoredRecord): void {
  record.removed = true;
  append(world, { request, record, operation: "delete", said: {} });
}

/** Notes a rollback: the payload and ontology of that version, under the policy that the record has. */
export function applyRollback(world: World, request: Request, record: StoredRecord, version: number): void {
  const { ontology, payload } = record.versions[version - 1] as StoredVersion;
  const operation = record.removed ? "create" : "update";
  Object.assign(record, { ontology, payload, removed: false });
  append(world, { request, record, operation, said: payload });
}
