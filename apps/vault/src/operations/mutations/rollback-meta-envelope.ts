import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import { assertWritableOntology } from "../../meta-envelopes/meta-envelope-input.ts";
import type { Payload } from "../../meta-envelopes/payload.ts";
import type { StoredMetaEnvelope, VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import type { Version } from "../../meta-envelopes/version.ts";
import { findVersion } from "../../store/version-rows.ts";
import { readId } from "../read-id.ts";
import type { WriteDeps } from "../write-deps.ts";
import { changeMetaEnvelope } from "./change-meta-envelope.ts";
import type { Draft } from "./draft.ts";

/**
 * The result of a rollback: the current MetaEnvelope (null where the caller may not read it), its new version, and the
 * restored version.
 */
export interface RolledBack {
  readonly metaEnvelope: VisibleMetaEnvelope | null;
  readonly version: number;
  readonly restoredFromVersion: number;
}

/**
 * Restores a MetaEnvelope exactly as version N: fields that N does not have are removed, its ontology is restored, the
 * access policy stays. A removed MetaEnvelope becomes active again, at its old place in lists. The rollback is a
 * version too, and can be rolled back.
 *
 * Refuses: as `changeMetaEnvelope`; INVALID_VERSION, VERSION_NOT_FOUND, VERSION_ERASED, VERSION_IS_DELETE,
 * ROLLBACK_FAILED, USE_BINDING_DOCUMENT_MUTATION, INVALID_ACCESS_POLICY.
 * Source: S1 "rollbackMetaEnvelope", "States and transitions"; decisions V4, V9, V14, V18.
 */
export async function rollbackMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  { id, version }: { readonly id: string; readonly version: number },
): Promise<RolledBack> {
  if (version < 1) throw refusal("INVALID_VERSION", `A version is 1 or more, not ${version}.`, "version");
  const record = { owner: caller.owner, id: readId(id) };
  // A version never changes, so it may be read before the MetaEnvelope is.
  const restored = await findVersion(deps.store.database, record, version);
  const { after, readable } = await changeMetaEnvelope(deps, caller, {
    id,
    permission: "UPDATE",
    takesRemoved: true,
    draft: (before) => draftRollback(before, version, restored),
  });
  return { metaEnvelope: readable ? after : null, version: after.version, restoredFromVersion: version };
}

function draftRollback(before: StoredMetaEnvelope, version: number, restored: Version | undefined): Draft {
  if (restored === undefined) {
    const message = `${before.id} has no version ${version}; its newest is ${before.version}.`;
    throw refusal("VERSION_NOT_FOUND", message, "version");
  }
  const { payloadText, ontology } = restored;
  if (payloadText === null && restored.operation !== "delete") {
    throw refusal("VERSION_ERASED", `The content of version ${version} was erased for good.`, "version");
  }
  if (payloadText === null) {
    throw refusal("VERSION_IS_DELETE", `Version ${version} is a removal; use removeMetaEnvelope.`, "version");
  }
  assertWritableOntology(before.ontology);
  assertWritableOntology(ontology);
  return {
    after: { ...before, payloadText, ontology, removed: false },
    payload: parseVersion(payloadText, version),
    operation: before.removed ? "create" : "update",
    restoredFrom: version,
    hashed: { id: before.id, ontology, payloadText },
  };
}

function parseVersion(payloadText: string, version: number): Payload {
  try {
    return JSON.parse(payloadText) as Payload;
  } catch {
    throw refusal("ROLLBACK_FAILED", `Version ${version} cannot be read back; nothing was changed.`, "version");
  }
}
