import type { TestVault } from "./start-vault.ts";

/** An answer of the vault: its HTTP status, headers and JSON body. */
export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever came back
  readonly body: any;
}

/** Sends a GraphQL document with variables for an owner, with extra headers if any. */
export function askGraphQL(
  vault: Pick<TestVault, "url">,
  owner: string,
  query: string,
  variables: object = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Answer> {
  return ask(vault, "/graphql", {
    method: "POST",
    headers: { "content-type": "application/json", "x-ename": owner, ...headers },
    body: JSON.stringify({ query, variables }),
  });
}

/** Sends any request. */
export async function ask(vault: Pick<TestVault, "url">, path: string, init: RequestInit = {}): Promise<Answer> {
  const response = await fetch(vault.url + path, init);
  const text = await response.text();
  return { status: response.status, headers: response.headers, body: text === "" ? undefined : JSON.parse(text) };
}
