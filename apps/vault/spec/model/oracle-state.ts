import { createHash } from "node:crypto";
import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { Asker, PolicyInput } from "./operation.ts";

/** A payload: an object. */
export type Payload = Readonly<Record<string, JsonValue>>;

/** One version as the history shows it. */
export interface OracleVersion {
  readonly metaEnvelopeId: string;
  readonly version: number;
  readonly operation: "create" | "update" | "delete";
  readonly ontology: string;
  readonly parsed: Payload | null;
  readonly requestingPlatform: string | null;
  readonly author: string | null;
  readonly restoredFromVersion: number | null;
}

/** A record, active or removed. `place` is its place in creation order. */
export interface OracleRecord {
  readonly id: string;
  readonly place: number;
  ontology: string;
  payload: Payload;
  acl: readonly string[];
  policy: PolicyInput | null;
  removed: boolean;
  quarantined: boolean;
  readonly versions: OracleVersion[];
}

/** One entry of the operation log. */
export interface OracleLogEntry {
  readonly metaEnvelopeId: string;
  readonly envelopeHash: string;
  readonly operation: string;
  readonly platform: string | null;
  readonly author: string | null;
  readonly ontology: string;
}

/** One announced change event, beside what the policy was. */
export interface OracleEvent {
  readonly id: string;
  readonly streamVersion: number;
  readonly operation: string;
  readonly schemaId: string;
  readonly data: Payload;
  readonly requestingPlatform: string | null;
  readonly policy: { readonly acl: readonly string[]; readonly _acl: PolicyInput | null };
}

/** Everything an owner has, in the order in which it came to be. */
export interface OracleState {
  readonly records: Map<string, OracleRecord>;
  readonly logs: OracleLogEntry[];
  readonly events: OracleEvent[];
}

/** One write: the resulting record, and its effect on history, log and event. */
export interface Write {
  readonly record: OracleRecord;
  readonly asker: Pick<Asker, "platform" | "author">;
  readonly operation: "create" | "update" | "delete";
  readonly hashed: { readonly id: string; readonly ontology?: string; readonly payload?: JsonValue };
  readonly logOperation?: string;
  readonly restoredFrom?: number;
  readonly becomes: Partial<OracleRecord>;
}

/**
 * Writes: one version, one log entry, and one event unless the record is quarantined. The owner, who alone can write to a
 * quarantined one, lets it go by any write but a removal, and then its subscribers see it as new.
 *
 * Source: S1 "States and transitions"; decisions V8, V9, V10, I3.
 */
export function write(state: OracleState, { record, asker, operation, ...more }: Write): void {
  const touched = record.quarantined && record.versions.length > 0;
  Object.assign(record, more.becomes);
  if (touched && operation !== "delete") record.quarantined = false;
  const version = record.versions.length + 1;
  record.versions.push({
    metaEnvelopeId: record.id,
    version,
    operation,
    ontology: record.ontology,
    parsed: operation === "delete" ? null : record.payload,
    requestingPlatform: asker.platform,
    author: asker.author,
    restoredFromVersion: more.restoredFrom ?? null,
  });
  state.logs.push({
    metaEnvelopeId: record.id,
    envelopeHash: createHash("sha256").update(JSON.stringify(more.hashed)).digest("hex"),
    operation: more.logOperation ?? operation,
    platform: asker.platform,
    author: asker.author,
    ontology: record.ontology,
  });
  if (record.quarantined) return;
  state.events.push({
    id: record.id,
    streamVersion: version,
    operation: touched ? "create" : operation,
    schemaId: record.ontology,
    data: operation === "delete" ? {} : record.payload,
    requestingPlatform: asker.platform,
    policy: { acl: record.acl, _acl: record.policy },
  });
}
