import { rawRequest, sendRaw } from "../support/raw-request.ts";

/** A vault under attack: the attacker's own eName and record there, and another owner's. */
export interface Target {
  readonly url: string;
  readonly attacker: string;
  readonly ownId: string;
  readonly victim: string;
  readonly victimId: string;
  /** A cursor of the victim's list. */
  readonly victimCursor: string;
}

/** An answer as it came: status 0 when the connection was closed without one. */
export interface Reply {
  readonly status: number;
  readonly text: string;
}

/** One hostile request of a threat and what must come of it: `<status> <code>`, or `<status> served` for harmless data. */
export interface Attack {
  readonly threat: `T-${string}`;
  readonly what: string;
  readonly send: (target: Target) => Promise<Reply>;
  readonly expected: string;
}

/** Sends a body as it is to /graphql, as the attacker. */
export async function postBody(
  { url, attacker }: Pick<Target, "url" | "attacker">,
  body: string | Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const all = { "content-type": "application/json", "x-ename": attacker, ...headers };
  const response = await fetch(`${url}/graphql`, { method: "POST", headers: all, body });
  return { status: response.status, text: await response.text() };
}

/** Sends a GraphQL document with variables, as the attacker. */
export function postDocument(
  target: Pick<Target, "url" | "attacker">,
  query: string,
  variables: object = {},
): Promise<Reply> {
  return postBody(target, JSON.stringify({ query, variables }));
}

/** Sends a request to another endpoint, as the attacker. */
export async function get(
  target: Target,
  path: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const response = await fetch(target.url + path, { headers: { "x-ename": target.attacker, ...headers } });
  return { status: response.status, text: await response.text() };
}

/** Sends header lines that no client would send with a body that would write, to /graphql. */
export function postRaw({ url }: Target, headers: readonly string[]): Promise<Reply> {
  return sendRaw(url, rawRequest("POST /graphql", headers, WRITING_BODY));
}

/** A request that writes, wherever it gets through. */
export const WRITING_BODY: string = JSON.stringify({
  query: 'mutation { createMetaEnvelope(input: { ontology: "o", payload: {} }) { errors { code } } }',
});

/** What came of a request: `<status> <code>` of its refusal wherever that stands in the answer, else `<status> served`. */
export function outcomeOf({ status, text }: Reply): string {
  const code = /"code":"([A-Z_]+)"/.exec(text)?.[1] ?? (status < 400 ? "served" : "refused");
  return `${status} ${code}`;
}
