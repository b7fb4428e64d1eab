import type { VersionOperation } from "./change.ts";

/** A version of a MetaEnvelope; `payloadText` is null for a removal and for an erased version. Source: S1 "Version record". */
export interface Version {
  readonly metaEnvelopeId: string;
  readonly version: number;
  readonly operation: VersionOperation;
  readonly ontology: string;
  readonly payloadText: string | null;
  readonly requestingPlatform: string | null;
  readonly author: string | null;
  readonly restoredFromVersion: number | null;
  readonly createdAt: Date;
}
