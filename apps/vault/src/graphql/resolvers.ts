import type { Caller } from "../caller/caller.ts";
import { payloadToEnvelopes } from "../meta-envelopes/envelopes.ts";
import type { MetaEnvelopeInput } from "../meta-envelopes/meta-envelope-input.ts";
import type { Payload } from "../meta-envelopes/payload.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import type { Version } from "../meta-envelopes/version.ts";
import { createMetaEnvelope } from "../operations/mutations/create-meta-envelope.ts";
import { removeMetaEnvelope } from "../operations/mutations/remove-meta-envelope.ts";
import { updateMetaEnvelope } from "../operations/mutations/update-meta-envelope.ts";
import { type HistoryArguments, listMetaEnvelopeHistory } from "../operations/queries/list-meta-envelope-history.ts";
import { listVisibleMetaEnvelopes, type MetaEnvelopesArguments } from "../operations/queries/list-meta-envelopes.ts";
import { readMetaEnvelope } from "../operations/queries/read-meta-envelope.ts";
import type { ReadDeps } from "../operations/read-deps.ts";
import type { WriteDeps } from "../operations/write-deps.ts";
import { asPayload } from "./errors-payload.ts";

/** What every resolver gets beside its arguments: who asks, and what the operations need. */
export interface ResolverContext {
  readonly caller: Caller;
  readonly deps: ReadDeps & WriteDeps;
}

/** Resolves one field. */
export type Resolver = (source: never, args: never, context: ResolverContext) => unknown;

/** Type name, field name, how it is resolved. Fields that are not here are members of their source. */
export const RESOLVERS: Readonly<Record<string, Readonly<Record<string, Resolver>>>> = {
  Query: {
    metaEnvelope: (_: unknown, { id }: { id: string }, { deps, caller }) => readMetaEnvelope(deps, caller, id),
    metaEnvelopes: (_: unknown, args: MetaEnvelopesArguments, { deps, caller }) =>
      listVisibleMetaEnvelopes(deps, caller, args),
    metaEnvelopeHistory: (_: unknown, args: HistoryArguments, { deps, caller }) =>
      listMetaEnvelopeHistory(deps, caller, args),
  },
  Mutation: {
    createMetaEnvelope: (_: unknown, { input }: { input: MetaEnvelopeInput }, { deps, caller }) =>
      asPayload({ metaEnvelope: null }, async () => ({ metaEnvelope: await createMetaEnvelope(deps, caller, input) })),
    updateMetaEnvelope: (_: unknown, args: { id: string; input: MetaEnvelopeInput }, { deps, caller }) =>
      asPayload({ metaEnvelope: null }, async () => ({ metaEnvelope: await updateMetaEnvelope(deps, caller, args) })),
    removeMetaEnvelope: (_: unknown, { id }: { id: string }, { deps, caller }) =>
      asPayload({ deletedId: id, success: false }, async () => ({
        deletedId: await removeMetaEnvelope(deps, caller, id),
        success: true,
      })),
  },
  MetaEnvelope: {
    parsed: (metaEnvelope: VisibleMetaEnvelope) => parsePayload(metaEnvelope),
    envelopes: (metaEnvelope: VisibleMetaEnvelope) => payloadToEnvelopes(metaEnvelope.id, parsePayload(metaEnvelope)),
  },
  MetaEnvelopeVersion: {
    parsed: ({ payloadText }: Version) => (payloadText === null ? null : JSON.parse(payloadText)),
    createdAt: ({ createdAt }: Version) => createdAt.toISOString(),
  },
  MetaEnvelopeConnection: { totalCount: callMember("totalCount") },
  MetaEnvelopeEdge: { cursor: callMember("cursor") },
  MetaEnvelopeVersionConnection: { totalCount: callMember("totalCount") },
  MetaEnvelopeVersionEdge: { cursor: callMember("cursor") },
  PageInfo: { startCursor: callMember("startCursor"), endCursor: callMember("endCursor") },
};

const parsedPayloads = new WeakMap<VisibleMetaEnvelope, Payload>();

/** Parses a payload once, however many of its fields are selected. */
function parsePayload(metaEnvelope: VisibleMetaEnvelope): Payload {
  const known = parsedPayloads.get(metaEnvelope);
  if (known !== undefined) return known;
  const parsed = JSON.parse(metaEnvelope.payloadText) as Payload;
  parsedPayloads.set(metaEnvelope, parsed);
  return parsed;
}

/** Resolves a field by calling the member of its source, so that what is not selected is not computed. */
function callMember(name: string): Resolver {
  return (source: Readonly<Record<string, () => unknown>>) => source[name]?.();
}
