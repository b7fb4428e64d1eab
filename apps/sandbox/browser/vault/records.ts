import type { PageOf, Payload, RecordVersion, VaultRecord } from "./record.ts";
import type { Answer, VaultConnection } from "./vault-connection.ts";
import { VAULT_TEXTS } from "./vault-texts.ts";

/** Which records to list; `before` is the cursor of the page. */
export interface RecordQuestion {
  readonly ontology?: string | undefined;
  readonly search?: string | undefined;
  readonly before?: string | undefined;
}

const CONDITION = "{ ontology path op value issuer maxAgeSeconds }";
const POLICY = `{ v grants { ename perms } denials { enames conditions ${CONDITION} } default_perms require ${CONDITION} }`;
const RECORD = `id ontology parsed _acl ${POLICY}`;
const ERRORS = "errors { message code }";
const LIST = `query ($filter: MetaEnvelopeFilterInput, $before: String) { metaEnvelopes(filter: $filter, last: 10, before: $before) {
  totalCount edges { node { ${RECORD} } } pageInfo { hasPreviousPage startCursor } } }`;
const HISTORY = `query ($id: ID!, $after: String) { metaEnvelopeHistory(id: $id, first: 20, after: $after) {
  edges { node { version operation parsed author requestingPlatform restoredFromVersion createdAt } } pageInfo { hasNextPage endCursor } } }`;
const CREATE = `mutation ($input: MetaEnvelopeInput!) { createMetaEnvelope(input: $input) { metaEnvelope { ${RECORD} } ${ERRORS} } }`;
const UPDATE = `mutation ($id: ID!, $input: MetaEnvelopeInput!) { updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { ${RECORD} } ${ERRORS} } }`;
const REMOVE = `mutation ($id: ID!) { removeMetaEnvelope(id: $id) { ${ERRORS} } }`;
const ROLLBACK = `mutation ($id: ID!, $version: Int!) { rollbackMetaEnvelope(id: $id, version: $version) { version ${ERRORS} } }`;
/** The vault answers at most 10 fields of one query, so a page has at most 10 records. */
const MAX_TIMES = 10;

/** Lists records, newest first, with their number. Refuses: as `VaultConnection`. Source: S1 "metaEnvelopes". */
export async function listRecords(
  vault: VaultConnection,
  { ontology, search, before }: RecordQuestion = {},
): Promise<PageOf<VaultRecord> & { readonly total: number }> {
  const filter = { ontologyId: ontology || null, search: search ? { term: search } : null };
  const { metaEnvelopes = {} } = await vault.ask(LIST, { filter, before });
  const { edges = [], pageInfo, totalCount = 0 } = metaEnvelopes;
  const items = edges.map(({ node }) => node as VaultRecord).reverse();
  return { items, next: pageInfo?.hasPreviousPage ? pageInfo.startCursor : null, total: totalCount };
}

/** Reads when each of at most 10 records was last written, ISO 8601 by id. Refuses: as `VaultConnection`. */
export async function listWriteTimes(
  vault: VaultConnection,
  ids: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const asked = ids.slice(0, MAX_TIMES);
  if (asked.length === 0) return new Map();
  const names = asked.map((_, place) => `$i${place}: ID!`).join(", ");
  const fields = asked.map(
    (_, place) => `h${place}: metaEnvelopeHistory(id: $i${place}, first: 1) { edges { node { createdAt } } }`,
  );
  const variables = Object.fromEntries(asked.map((id, place) => [`i${place}`, id]));
  const answers = await vault.ask(`query (${names}) { ${fields.join(" ")} }`, variables);
  return new Map(
    asked.map((id, place) => {
      const node = answers[`h${place}`]?.edges?.[0]?.node as { readonly createdAt: string } | undefined;
      return [id, node?.createdAt ?? ""];
    }),
  );
}

/** Lists a record's versions, newest first. Refuses: as `VaultConnection`. Source: S1 "History and rollback". */
export async function listVersions(vault: VaultConnection, id: string, after?: string): Promise<PageOf<RecordVersion>> {
  const { metaEnvelopeHistory: { edges = [], pageInfo } = {} } = await vault.ask(HISTORY, { id, after });
  const items = edges.map(({ node }) => node as RecordVersion);
  return { items, next: pageInfo?.hasNextPage ? pageInfo.endCursor : null };
}

/** Creates a record. Refuses: as `VaultConnection`. Source: S1 "createMetaEnvelope". */
export async function createRecord(
  vault: VaultConnection,
  input: { readonly ontology: string; readonly payload: object; readonly acl: readonly string[] },
): Promise<VaultRecord> {
  return recordOf(await vault.ask(CREATE, { input }), "createMetaEnvelope");
}

/** A change of a record: the fields to replace, and the whole new policy where that changes too. */
export interface RecordChange {
  readonly id: string;
  readonly ontology: string;
  readonly payload: Payload;
  readonly _acl?: object;
}

/** Replaces fields or the policy of a record; others stay. Refuses: as `VaultConnection`. Source: S1 "updateMetaEnvelope". */
export async function changeRecord(vault: VaultConnection, { id, ...input }: RecordChange): Promise<VaultRecord> {
  return recordOf(await vault.ask(UPDATE, { id, input }), "updateMetaEnvelope");
}

/** Removes a record from every read; its history stays. Refuses: as `VaultConnection`. */
export async function removeRecord(vault: VaultConnection, id: string): Promise<void> {
  await vault.ask(REMOVE, { id });
}

/** Restores a version, also of a removed record. Refuses: as `VaultConnection`. Source: S1 "History and rollback". */
export async function rollBack(vault: VaultConnection, id: string, version: number): Promise<void> {
  await vault.ask(ROLLBACK, { id, version });
}

function recordOf(answers: Readonly<Record<string, Answer>>, field: string): VaultRecord {
  const record = answers[field]?.metaEnvelope;
  if (record) return record as VaultRecord;
  throw new Error(VAULT_TEXTS.unreadable);
}
