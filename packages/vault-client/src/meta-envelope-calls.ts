import { toBatches } from "./bulk-batches.ts";
import type { CallOptions, Calls, WriteOptions } from "./calls.ts";
import { type Connection, eachNode, type PageOptions } from "./each-node.ts";
import { invalidAnswer } from "./read-answer.ts";
import { isVaultCode, type VaultCode } from "./vault-error.ts";
import type { BulkMetaEnvelopeInput, MetaEnvelopeFilterInput, MetaEnvelopeInput } from "./vault-inputs.ts";
import type { BulkCreateResult, MetaEnvelope, MetaEnvelopeVersion } from "./vault-schema.ts";

/** A MetaEnvelope whose payload the caller knows the shape of. The client does not check it. */
export type MetaEnvelopeOf<Payload> = Omit<MetaEnvelope, "parsed"> & { readonly parsed: Payload };

/** What became of one item of a bulk. */
export interface BulkOutcome {
  /** The item's place among the inputs, from 0. */
  readonly index: number;
  readonly id: string;
  readonly success: boolean;
  /** Why it was refused; undefined on success. */
  readonly code: VaultCode | undefined;
  readonly message: string | undefined;
}

/** What a rollback wrote. */
export interface Rollback<Payload> {
  readonly metaEnvelope: MetaEnvelopeOf<Payload>;
  /** The new version. */
  readonly version: number;
  readonly restoredFromVersion: number;
}

type ListOptions = CallOptions & Pick<PageOptions, "pageSize">;

/** The calls on MetaEnvelopes. Each rejects with a VaultError. Source: S1 "GraphQL queries", "GraphQL mutations". */
export interface MetaEnvelopeCalls {
  /** Reads one MetaEnvelope; null when the caller may read no such record. */
  readonly get: <Payload = unknown>(id: string, options?: CallOptions) => Promise<MetaEnvelopeOf<Payload> | null>;
  /** Lists MetaEnvelopes in creation order, oldest first, or newest first. */
  readonly list: <Payload = unknown>(
    filter?: MetaEnvelopeFilterInput,
    options?: ListOptions & { readonly newestFirst?: boolean },
  ) => AsyncGenerator<MetaEnvelopeOf<Payload>, void, undefined>;
  /** Counts the MetaEnvelopes that the caller may see. */
  readonly count: (filter?: MetaEnvelopeFilterInput, options?: CallOptions) => Promise<number>;
  /** Lists the versions of a MetaEnvelope, newest first, also after its removal. */
  readonly history: (id: string, options?: ListOptions) => AsyncGenerator<MetaEnvelopeVersion, void, undefined>;
  /** Creates a MetaEnvelope. */
  readonly create: <Payload = unknown>(
    input: MetaEnvelopeInput,
    options?: WriteOptions,
  ) => Promise<MetaEnvelopeOf<Payload>>;
  /**
   * Creates many MetaEnvelopes, up to 1,000 by a request, one request after the other. Out: what became of each, in order; a refused
   * item does not stop the others. With an `idempotencyKey` the same inputs again create nothing twice within 24 hours.
   */
  readonly createMany: (
    inputs: Iterable<BulkMetaEnvelopeInput> | AsyncIterable<BulkMetaEnvelopeInput>,
    options?: WriteOptions & { readonly skipWebhooks?: boolean },
  ) => AsyncGenerator<BulkOutcome, void, undefined>;
  /** Replaces the given top-level fields of the payload and leaves all others. */
  readonly update: <Payload = unknown>(
    id: string,
    input: MetaEnvelopeInput,
    options?: WriteOptions,
  ) => Promise<MetaEnvelopeOf<Payload>>;
  /** Removes a MetaEnvelope from every read; its history stays. */
  readonly remove: (id: string, options?: WriteOptions) => Promise<void>;
  /** Puts the payload back to a version exactly, as a new version; brings a removed MetaEnvelope back. */
  readonly rollback: <Payload = unknown>(
    id: string,
    version: number,
    options?: WriteOptions,
  ) => Promise<Rollback<Payload>>;
}

const COUNT = "query($filter: MetaEnvelopeFilterInput) { metaEnvelopes(filter: $filter, first: 1) { totalCount } }";

/** Makes the calls on MetaEnvelopes of one owner's vault. Refuses: as `MetaEnvelopeCalls`. */
export function createMetaEnvelopeCalls({ call, query }: Calls): MetaEnvelopeCalls {
  return {
    get: async <Payload>(id: string, options?: CallOptions) =>
      (await call("metaEnvelope", { id }, options)) as MetaEnvelopeOf<Payload> | null,
    list: <Payload>(
      filter?: MetaEnvelopeFilterInput,
      { newestFirst = false, pageSize, ...options }: ListOptions & { readonly newestFirst?: boolean } = {},
    ) =>
      eachNode(
        async (page) =>
          (await call("metaEnvelopes", { filter, ...page }, options)) as Connection<MetaEnvelopeOf<Payload>>,
        { pageSize, backward: newestFirst },
      ),
    count: async (filter, options) => {
      const { metaEnvelopes } = await query<{ metaEnvelopes: { totalCount: number } }>(COUNT, { filter }, options);
      return metaEnvelopes.totalCount;
    },
    history: (id, { pageSize, ...options } = {}) =>
      eachNode((page) => call("metaEnvelopeHistory", { id, ...page }, options), { pageSize }),
    create: async <Payload>(input: MetaEnvelopeInput, options?: WriteOptions) =>
      written<Payload>((await call("createMetaEnvelope", { input }, options)).metaEnvelope),
    createMany: (inputs, options) => createMany(call, inputs, options),
    update: async <Payload>(id: string, input: MetaEnvelopeInput, options?: WriteOptions) =>
      written<Payload>((await call("updateMetaEnvelope", { id, input }, options)).metaEnvelope),
    remove: async (id, options) => {
      await call("removeMetaEnvelope", { id }, options);
    },
    rollback: async <Payload>(id: string, version: number, options?: WriteOptions) => {
      const { metaEnvelope, ...versions } = await call("rollbackMetaEnvelope", { id, version }, options);
      if (versions.version === null || versions.restoredFromVersion === null) throw invalidAnswer(NO_RECORD);
      const { version: newVersion, restoredFromVersion } = versions;
      return { metaEnvelope: written<Payload>(metaEnvelope), version: newVersion, restoredFromVersion };
    },
  };
}

const NO_RECORD = "The vault's answer has neither the MetaEnvelope nor an error.";

function written<Payload>(metaEnvelope: MetaEnvelope | null): MetaEnvelopeOf<Payload> {
  if (metaEnvelope === null) throw invalidAnswer(NO_RECORD);
  return metaEnvelope as MetaEnvelopeOf<Payload>;
}

async function* createMany(
  call: Calls["call"],
  inputs: Iterable<BulkMetaEnvelopeInput> | AsyncIterable<BulkMetaEnvelopeInput>,
  { skipWebhooks, idempotencyKey, ...options }: WriteOptions & { readonly skipWebhooks?: boolean } = {},
): AsyncGenerator<BulkOutcome, void, undefined> {
  let index = 0;
  for await (const { number, items } of toBatches(inputs)) {
    const key = idempotencyKey === undefined ? {} : { idempotencyKey: `${idempotencyKey}.${number}` };
    const { results } = await call("bulkCreateMetaEnvelopes", { inputs: items, skipWebhooks }, { ...options, ...key });
    if (results.length !== items.length) throw invalidAnswer("The vault's answer does not report each item.");
    for (const result of results) yield toOutcome(index++, result);
  }
}

/** `error` begins with its code and a colon. */
function toOutcome(index: number, { id, success, error }: BulkCreateResult): BulkOutcome {
  const [, first = "", message = error ?? undefined] = /^([A-Z_]{1,64}): (.*)$/s.exec(error ?? "") ?? [];
  return { index, id, success, code: isVaultCode(first) ? first : undefined, message };
}
