/** An answer over HTTP: status, and the JSON of its body in the shape that the test goes on to assert. */
export interface Answer<Body> {
  readonly status: number;
  readonly body: Body;
}

/** Who asks for whom: the owner addressed, and a bearer token if any. */
export interface Asker {
  readonly owner: string;
  readonly token?: string;
}

/** Sends a request to a vault and reads the JSON that comes back. */
export async function ask<Body>(
  url: string,
  { owner, token }: Asker,
  sent: { readonly method?: string; readonly body?: unknown } = {},
): Promise<Answer<Body>> {
  const response = await fetch(url, {
    method: sent.method ?? "GET",
    headers: {
      "x-ename": owner,
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(sent.body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(sent.body === undefined ? {} : { body: JSON.stringify(sent.body) }),
  });
  return { status: response.status, body: (await response.json().catch(() => undefined)) as Body };
}

/** What a mutation answers in any of our documents. */
export interface Written {
  readonly metaEnvelope: { readonly id: string; readonly parsed: unknown } | null;
  readonly errors: readonly { readonly code: string }[] | null;
}

/** The body of a GraphQL answer. */
export interface GraphQLBody<Data> {
  readonly data: Data;
  readonly errors?: readonly { readonly extensions: { readonly code: string } }[];
}

/** Sends a GraphQL document to a vault. */
export async function askGraphQL<Data>(
  space: { readonly vaultUrl: string },
  asker: Asker,
  asked: { readonly query: string; readonly variables?: object },
): Promise<GraphQLBody<Data>> {
  const { body } = await ask<GraphQLBody<Data>>(`${space.vaultUrl}/graphql`, asker, { method: "POST", body: asked });
  return body;
}

const CREATE = `mutation($input: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $input) { metaEnvelope { id parsed } errors { code } }
}`;

/** Creates a MetaEnvelope. Out: what the mutation answered. */
export async function create(
  space: { readonly vaultUrl: string },
  asker: Asker,
  input: { readonly ontology: string; readonly payload: object },
): Promise<Written> {
  const { data } = await askGraphQL<{ createMetaEnvelope: Written }>(space, asker, {
    query: CREATE,
    variables: { input },
  });
  return data.createMetaEnvelope;
}
