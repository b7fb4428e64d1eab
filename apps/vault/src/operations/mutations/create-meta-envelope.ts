import { mayCreate } from "../../access/owner.ts";
import type { Caller } from "../../caller/caller.ts";
import { refusal } from "../../errors.ts";
import type { MetaEnvelopeInput } from "../../meta-envelopes/meta-envelope-input.ts";
import type { VisibleMetaEnvelope } from "../../meta-envelopes/stored-meta-envelope.ts";
import { assertAuthenticated } from "../assert-authenticated.ts";
import type { WriteDeps } from "../write-deps.ts";
import { insertMetaEnvelope } from "./insert-meta-envelope.ts";

/**
 * Creates a MetaEnvelope in the addressed vault.
 *
 * Refuses: UNAUTHENTICATED, FORBIDDEN (neither the owner nor a platform token that may write), and as `insertMetaEnvelope`.
 * Source: S1 "createMetaEnvelope"; decision V12.
 */
export async function createMetaEnvelope(
  deps: WriteDeps,
  caller: Caller,
  input: MetaEnvelopeInput,
): Promise<VisibleMetaEnvelope> {
  assertAuthenticated(caller);
  if (!mayCreate(caller.owner, caller.principal)) {
    throw refusal("FORBIDDEN", "Only the owner of this vault, or a platform token that may write, creates in it.");
  }
  return insertMetaEnvelope(deps, caller, { input, quarantined: false });
}
