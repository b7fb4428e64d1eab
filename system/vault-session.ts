import { fetchJson } from "@dataspace/clients/timed-fetch";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletKey } from "@dataspace/wallet/wallet-key";

/** A new record; without `acl` only the owner may read it. */
export interface RecordInput {
  readonly ontology: string;
  readonly payload: Readonly<Record<string, unknown>>;
  readonly acl?: readonly string[];
}

/** An owner's session at their own vault, with a fresh wallet token for each request. */
export interface VaultSession {
  /** Sends a GraphQL document. Out: its `data`. */
  readonly ask: <Data>(query: string, variables?: object) => Promise<Data>;
  /** Creates a MetaEnvelope. Out: its id. */
  readonly create: (input: RecordInput) => Promise<string>;
}

interface Answer<Data> {
  readonly data?: Data | null;
  readonly errors?: readonly { readonly message: string }[];
}

const CREATE = `mutation($input: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $input) { metaEnvelope { id } errors { field message code } }
}`;

/**
 * Opens an owner's session at a vault. A wallet token serves one writing request, so each request signs its own.
 *
 * Refuses: its calls reject with an UpstreamError, or an Error that tells GraphQL's errors. Source: decisions I4, I6.
 */
export function createVaultSession(config: {
  readonly vaultUrl: string;
  readonly owner: EName;
  readonly key: WalletKey;
}): VaultSession {
  const ask = <Data>(query: string, variables: object = {}): Promise<Data> => send<Data>(config, { query, variables });
  return {
    ask,
    create: async (input) => {
      type Created = { createMetaEnvelope: { metaEnvelope: { id: string } | null; errors: unknown } };
      const { createMetaEnvelope } = await ask<Created>(CREATE, { input });
      if (createMetaEnvelope.metaEnvelope !== null) return createMetaEnvelope.metaEnvelope.id;
      throw new Error(`The vault refused a MetaEnvelope: ${JSON.stringify(createMetaEnvelope.errors)}`);
    },
  };
}

async function send<Data>(
  config: { readonly vaultUrl: string; readonly owner: EName; readonly key: WalletKey },
  body: object,
): Promise<Data> {
  const clock = { nowMs: () => Date.now() };
  const token = await issueWalletToken({ key: config.key, clock }, { ename: config.owner, audience: config.owner });
  const answer = (await fetchJson(fetch, {
    url: `${config.vaultUrl}/graphql`,
    method: "POST",
    headers: { "x-ename": config.owner, authorization: `Bearer ${token}` },
    body,
    maxBytes: 16 * 1_048_576,
  })) as Answer<Data>;
  if (answer.errors === undefined && answer.data) return answer.data;
  throw new Error(`The vault refused: ${answer.errors?.map(({ message }) => message).join("; ")}`);
}
