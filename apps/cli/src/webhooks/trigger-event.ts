import { fetchJson, type TimedRequest } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { ONTOLOGY_ID } from "@dataspace/protocol/ontology-id";
import { baseUrlSetting } from "@dataspace/service-kit/settings/setting-types";
import { readSettings } from "@dataspace/service-kit/settings/settings";
import { issueDemoToken, listDemoPeople } from "../issue-demo-token.ts";

/** The operations that an example record can go through; each includes those before it. */
export const OPERATIONS = ["create", "update", "delete"] as const;

/** One operation on the example record. */
export type Operation = (typeof OPERATIONS)[number];

/** One mutation of the example record. */
interface Step {
  readonly operation: Operation;
  readonly query: string;
  readonly input?: object;
}

const ANSWER_MS = 10_000;
const input = (text: string) => ({ ontology: ONTOLOGY_ID.SocialMediaPost, payload: { text }, acl: ["*"] });
const STEPS: readonly Step[] = [
  {
    operation: "create",
    query:
      "mutation ($input: MetaEnvelopeInput!) { it: createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code message } } }",
    input: input("An example of dataspace trigger"),
  },
  {
    operation: "update",
    query:
      "mutation ($id: ID!, $input: MetaEnvelopeInput!) { it: updateMetaEnvelope(id: $id, input: $input) { metaEnvelope { id } errors { code message } } }",
    input: input("An updated example"),
  },
  { operation: "delete", query: "mutation ($id: ID!) { it: removeMetaEnvelope(id: $id) { errors { code message } } }" },
];

/**
 * Writes an example record as a demo person into that person's vault, so that its events are sent: created, then
 * updated and deleted, as far as `until` says.
 *
 * Out: the record's id and its owner. Refuses: StartupError 78 before the first `npm start`; UpstreamError for a vault
 * that does not answer or refuses.
 */
export async function triggerEvent(
  env: Readonly<Record<string, string | undefined>>,
  until: Operation,
): Promise<{ readonly id: string; readonly owner: string }> {
  const owner = listDemoPeople(env)[0]?.ename ?? "";
  const { DS_VAULT_URL: url } = readSettings({ DS_VAULT_URL: baseUrlSetting().default("http://127.0.0.1:4000") }, env);
  let id = "";
  for (const step of STEPS.slice(0, OPERATIONS.indexOf(until) + 1)) {
    const token = await issueDemoToken(env, { person: owner, owner });
    const body = { query: step.query, variables: { id, input: step.input } };
    const headers = { "x-ename": owner, authorization: `Bearer ${token}` };
    const answer = await send(url, { method: "POST", headers, body });
    if (step.operation === "create") id = answer.metaEnvelope?.id ?? "";
  }
  return { id, owner };
}

interface Answer {
  readonly metaEnvelope?: { readonly id: string } | null;
  readonly errors?: readonly { readonly message: string; readonly code?: string }[] | null;
}

interface GraphQlAnswer {
  readonly data?: { readonly it?: Answer | null } | null;
  readonly errors?: readonly { readonly message: string; readonly extensions?: { readonly code?: string } }[];
}

async function send(url: string, request: Pick<TimedRequest, "method" | "headers" | "body">): Promise<Answer> {
  const answer = (await fetchJson(fetch, { ...request, url: `${url}/graphql`, timeoutMs: ANSWER_MS }).catch(
    (error: unknown) => {
      if (!(error instanceof UpstreamError) || error.code !== "unreachable") throw error;
      const message = `No vault answers at ${url}. Run npm start, or set DS_VAULT_URL.`;
      throw new UpstreamError("unreachable", message, { cause: error });
    },
  )) as GraphQlAnswer | undefined;
  const [whole] = answer?.errors ?? [];
  const [fault] = answer?.data?.it?.errors ?? (whole ? [{ ...whole, code: whole.extensions?.code }] : []);
  if (fault === undefined && answer?.data?.it) return answer.data.it;
  const { message = "The vault gave no result.", code } = fault ?? {};
  const refusal = { status: 200, code, body: { error: { message } } };
  throw new UpstreamError("refused", `The vault at ${url} refused: ${message}`, { refusal });
}
