import { fetchJson } from "@dataspace/clients/timed-fetch";
import { askParty } from "@dataspace/wallet/ask-party";
import { createReportingFetch, type ReportExchange } from "@dataspace/wallet/exchange";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { WalletKey } from "@dataspace/wallet/wallet-key";
import type { Identity } from "./identities.ts";

/** A record of a vault, as this app shows it. */
export interface VaultRecord {
  readonly id: string;
  readonly ontology: string;
  readonly parsed: Payload;
  readonly _acl: unknown;
}

/** The record's content, by field. */
export type Payload = Readonly<Record<string, unknown>>;

/** One version of a record; `parsed` is null where it was removed. */
export interface RecordVersion {
  readonly version: number;
  readonly operation: string;
  readonly parsed: Payload | null;
  readonly author: string | null;
  readonly restoredFromVersion: number | null;
  readonly createdAt: string;
}

/** One page, and the cursor of the next one. */
export interface PageOf<Item> {
  readonly items: readonly Item[];
  readonly next: string | null;
}

/**
 * The operations of an identity in its own vault.
 *
 * Refuses: WalletError VAULT_UNAVAILABLE and VAULT_REFUSED; an Error with the vault's message for a mutation it
 * refused.
 */
export interface VaultSession {
  readonly listRecords: (after?: string) => Promise<PageOf<VaultRecord>>;
  readonly listVersions: (id: string, after?: string) => Promise<PageOf<RecordVersion>>;
  readonly createRecord: (record: {
    ontology: string;
    payload: Payload;
    acl: readonly string[];
  }) => Promise<VaultRecord>;
  readonly changeRecord: (record: { id: string; ontology: string; payload: Payload }) => Promise<VaultRecord>;
  readonly rollBack: (id: string, version: number) => Promise<void>;
}

// A page of records, each of at most 1 MiB.
const MAX_BYTES = 33_554_432;
const TIMEOUT_MS = 15_000;
const CONDITION = "{ ontology path op value issuer maxAgeSeconds }";
const POLICY = `{ v grants { ename perms } denials { enames conditions ${CONDITION} } default_perms require ${CONDITION} }`;
const RECORD = `id ontology parsed _acl ${POLICY}`;
const PAGE = "pageInfo { hasNextPage endCursor }";
const LIST = `query ($after: String) { metaEnvelopes(first: 10, after: $after) { edges { node { ${RECORD} } } ${PAGE} } }`;
const HISTORY = `query ($id: ID!, $after: String) { metaEnvelopeHistory(id: $id, first: 20, after: $after) {
  edges { node { version operation parsed author restoredFromVersion createdAt } } ${PAGE} } }`;
const CREATE = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { ${RECORD} } errors { message code } } }`;
const UPDATE = `mutation ($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { ${RECORD} } errors { message code } } }`;
const ROLLBACK = `mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) { version errors { message code } } }`;

/**
 * Opens the vault of an identity: each request carries a new token, signed by its key. Source: S1 "GraphQL API";
 * decision I4.
 */
export function openVault(
  deps: { readonly report: ReportExchange; readonly key: WalletKey },
  { ename, vaultUrl }: Pick<Identity, "ename" | "vaultUrl">,
): VaultSession {
  const clock = { nowMs: () => Date.now() };
  const reporting = createReportingFetch({ fetch, report: deps.report })("vault");
  const ask = async (query: string, variables: object): Promise<Answer> => {
    const token = await issueWalletToken({ key: deps.key, clock }, { ename, audience: ename });
    const request = {
      url: `${vaultUrl}/graphql`,
      method: "POST",
      headers: { "x-ename": ename, authorization: `Bearer ${token}` },
      body: { query, variables },
      timeoutMs: TIMEOUT_MS,
      maxBytes: MAX_BYTES,
    } as const;
    return readAnswer(((await askParty("VAULT", () => fetchJson(reporting, request))) ?? {}) as RawAnswer);
  };
  return {
    listRecords: async (after) => toPage(await ask(LIST, { after })),
    listVersions: async (id, after) => toPage(await ask(HISTORY, { id, after })),
    createRecord: async (input) => (await ask(CREATE, { input })).metaEnvelope as VaultRecord,
    changeRecord: async ({ id, ...input }) => (await ask(UPDATE, { id, input })).metaEnvelope as VaultRecord,
    rollBack: async (id, version) => {
      await ask(ROLLBACK, { id, version });
    },
  };
}

interface Answer {
  readonly metaEnvelope?: VaultRecord;
  readonly errors?: readonly { readonly message: string }[] | null;
  readonly edges?: readonly { readonly node: unknown }[];
  readonly pageInfo?: { readonly hasNextPage: boolean; readonly endCursor: string };
}

interface RawAnswer {
  readonly data?: Readonly<Record<string, Answer>>;
  readonly errors?: readonly { readonly message: string }[];
}

function readAnswer({ data, errors }: RawAnswer): Answer {
  const answer = Object.values(data ?? {})[0];
  const refusal = errors?.[0]?.message ?? answer?.errors?.[0]?.message;
  if (refusal !== undefined) throw new Error(refusal);
  if (answer === undefined) throw new Error("The vault's answer has neither data nor an error.");
  return answer;
}

function toPage<Item>({ edges = [], pageInfo }: Answer): PageOf<Item> {
  return { items: edges.map(({ node }) => node as Item), next: pageInfo?.hasNextPage ? pageInfo.endCursor : null };
}
