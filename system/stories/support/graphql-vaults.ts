import { randomUUID } from "node:crypto";
import type { OwnerVault, VaultRecord, Vaults } from "@dataspace/adapter/sync/vaults";

const FIELDS = "metaEnvelope { id ontology parsed } errors { code message }";
const DOCUMENTS = {
  create: `mutation($input: MetaEnvelopeInput!) { result: createMetaEnvelope(input: $input) { ${FIELDS} } }`,
  update: `mutation($id: ID!, $input: MetaEnvelopeInput!) { result: updateMetaEnvelope(id: $id, input: $input) { ${FIELDS} } }`,
  get: "query($id: ID!) { result: metaEnvelope(id: $id) { id ontology parsed } }",
  list: `query($filter: MetaEnvelopeFilterInput) {
    result: metaEnvelopes(filter: $filter, last: 100) { edges { node { id ontology parsed } } } }`,
  remove: "mutation($id: ID!) { result: removeMetaEnvelope(id: $id) { errors { code message } } }",
  upload: `mutation($input: UploadFileInput!) { result: uploadFile(input: $input) { uri publicUrl errors { code message } } }`,
} as const;

interface Outcome {
  readonly errors?: readonly { readonly code: string; readonly message: string }[] | null;
}

/** The vaults of a constellation, as thin as an adapter can use them: no retries, no credential. */
export function createGraphqlVaults({ vaultUrl }: { readonly vaultUrl: string }): Vaults {
  return { vault: (owner) => vaultOf(vaultUrl, owner) };
}

function vaultOf(vaultUrl: string, owner: string): OwnerVault {
  const ask = async <Result>(
    name: keyof typeof DOCUMENTS,
    variables: object,
    key: string = randomUUID(),
  ): Promise<Result> => {
    const response = await fetch(`${vaultUrl}/graphql`, {
      method: "POST",
      headers: { "content-type": "application/json", "x-ename": owner, "idempotency-key": key },
      body: JSON.stringify({ query: DOCUMENTS[name], variables }),
    });
    const { data, errors } = (await response.json()) as {
      data?: { result: Result & Outcome };
      errors?: readonly Outcome[];
    };
    const [refused] = data?.result?.errors ?? [];
    if (refused !== undefined) throw Object.assign(new Error(refused.message), { code: refused.code, status: 422 });
    if (data === undefined || errors !== undefined) throw new Error(`the vault answered ${response.status}`);
    return data.result;
  };
  const written = async (asked: Promise<{ readonly metaEnvelope: VaultRecord }>) => (await asked).metaEnvelope;
  return {
    create: (input, { idempotencyKey }) => written(ask("create", { input }, idempotencyKey)),
    update: (id, input) => written(ask("update", { id, input })),
    get: (id) => ask("get", { id }),
    async *list({ ontologyId }) {
      const page = await ask<{ edges: readonly { node: VaultRecord }[] }>("list", { filter: { ontologyId } });
      for (const { node } of page.edges.toReversed()) yield node;
    },
    remove: (id) => ask("remove", { id }),
    uploadFile: ({ content, ...file }, { idempotencyKey }) =>
      ask("upload", { input: { ...file, content: Buffer.from(content).toString("base64") } }, idempotencyKey),
  };
}
