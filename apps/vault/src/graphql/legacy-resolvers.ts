import type { JsonValue } from "@dataspace/protocol/meta-envelope";
import type { MetaEnvelopeInput } from "../meta-envelopes/meta-envelope-input.ts";
import type { VisibleMetaEnvelope } from "../meta-envelopes/stored-meta-envelope.ts";
import { removeMetaEnvelope } from "../operations/mutations/remove-meta-envelope.ts";
import { storeMetaEnvelope } from "../operations/mutations/store-meta-envelope.ts";
import { updateEnvelopeValue } from "../operations/mutations/update-envelope-value.ts";
import { updateMetaEnvelope } from "../operations/mutations/update-meta-envelope.ts";
import { listAllMetaEnvelopes } from "../operations/queries/list-all-meta-envelopes.ts";
import { readMetaEnvelope } from "../operations/queries/read-meta-envelope.ts";
import { answerAllEnvelopes, answerEnvelopes } from "./meta-envelope-fields.ts";
import type { ResolverTable } from "./resolver.ts";

/**
 * The old operations: each calls the operation that replaced it, with the old arguments and result type. Their results
 * have no `errors`, so a refusal is a GraphQL error. Source: S1 "Legacy operations"; decision V2.
 */
export const LEGACY_RESOLVERS: ResolverTable = {
  Query: {
    getMetaEnvelopeById: (_: unknown, { id }: { id: string }, { deps, caller }) =>
      readMetaEnvelope(deps.reads, caller, id),
    findMetaEnvelopesByOntology: (_: unknown, { ontology }: { ontology: string }, { deps, caller }) =>
      listAllMetaEnvelopes(deps, caller, { ontologyId: ontology }),
    searchMetaEnvelopes: (_: unknown, args: { ontology: string; term: string }, { deps, caller }) =>
      listAllMetaEnvelopes(deps, caller, { ontologyId: args.ontology, search: { term: args.term } }),
    getAllEnvelopes: async (_: unknown, __: unknown, context) =>
      answerAllEnvelopes(await listAllMetaEnvelopes(context.deps, context.caller, {}), context),
  },
  Mutation: {
    storeMetaEnvelope: async (_: unknown, { input }: { input: MetaEnvelopeInput }, { deps, caller }) => ({
      metaEnvelope: await storeMetaEnvelope(deps, caller, input),
    }),
    updateMetaEnvelopeById: async (_: unknown, args: { id: string; input: MetaEnvelopeInput }, { deps, caller }) => ({
      metaEnvelope: (await updateMetaEnvelope(deps.writes, caller, args)) ?? whatWasSent(args, caller.owner),
    }),
    deleteMetaEnvelope: async (_: unknown, { id }: { id: string }, { deps, caller }) => {
      await removeMetaEnvelope(deps.writes, caller, id);
      return true;
    },
    updateEnvelopeValue: async (_: unknown, args: { envelopeId: string; newValue: JsonValue }, { deps, caller }) => {
      await updateEnvelopeValue(deps.writes, caller, args);
      return true;
    },
  },
  StoreMetaEnvelopeResult: {
    envelopes: ({ metaEnvelope }: { metaEnvelope: VisibleMetaEnvelope }, _: unknown, context) =>
      answerEnvelopes(metaEnvelope, undefined, context),
  },
};

// The old result type has no null: a caller who may update but not read receives what they sent, and nothing else.
function whatWasSent({ id, input }: { id: string; input: MetaEnvelopeInput }, owner: string): VisibleMetaEnvelope {
  const payloadText = JSON.stringify(input.payload);
  return { id, ontology: input.ontology, payloadText, acl: [owner], aclBlock: null, quarantined: false, ord: 0 };
}
