import type { Change } from "../meta-envelopes/change.ts";

/** What a write adds to a quota: active MetaEnvelopes, and bytes. */
export interface QuotaItem {
  readonly records: number;
  readonly bytes: number;
}

/** The size of a version beside its payload, so that small versions are limited too. */
export const VERSION_BYTES = 512;

/**
 * Computes what a change adds to its quota. A guest's MetaEnvelope that the owner writes becomes the owner's. A removal
 * counts only its version. Source: decision V21.
 */
export function toQuotaItem({ before, after, operation }: Pick<Change, "before" | "after" | "operation">): QuotaItem {
  const adds = !after.removed && (before === undefined || before.removed || before.guest !== after.guest);
  const baseline = before?.version === 0 ? versionBytes(before.payloadText) : 0;
  const payloadText = operation === "delete" ? "" : after.payloadText;
  return { records: adds ? 1 : 0, bytes: baseline + versionBytes(payloadText) };
}

function versionBytes(payloadText: string): number {
  return Buffer.byteLength(payloadText) + VERSION_BYTES;
}
