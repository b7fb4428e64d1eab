import { fetchJson, type TimedRequest } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";

/** Where the awareness service is, and an API key for it; none in the development stack. */
export interface AwarenessApi {
  readonly url: string;
  readonly apiKey: string | undefined;
}

const ANSWER_MS = 10_000;

/**
 * Calls the awareness service as a consumer.
 *
 * Out: the parsed answer. Refuses: UpstreamError with the service's own refusal, and when none answers.
 */
export async function callAwareness<Answer>(
  { url, apiKey }: AwarenessApi,
  { path, ...request }: Pick<TimedRequest, "method" | "body"> & { readonly path: string },
): Promise<Answer> {
  const headers = apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
  try {
    return (await fetchJson(fetch, { ...request, url: url + path, headers, timeoutMs: ANSWER_MS })) as Answer;
  } catch (error) {
    if (!(error instanceof UpstreamError) || error.code !== "unreachable") throw error;
    const message = `No awareness service answers at ${url}. Run npm start, or set DS_AWARENESS_URL.`;
    throw new UpstreamError("unreachable", message, { cause: error });
  }
}
