import { StartupError } from "@dataspace/service-kit/startup-error";

/** Where the awareness service is, and an API key for it; none in the development stack. */
export interface AwarenessApi {
  readonly url: string;
  readonly apiKey: string | undefined;
}

const ANSWER_MS = 10_000;

/**
 * Calls the awareness service as a consumer.
 *
 * Out: the parsed answer. Refuses: StartupError 78 with the service's own message, and when none answers.
 */
export async function callAwareness<Answer>(
  { url, apiKey }: AwarenessApi,
  { method, path, body }: { readonly method: string; readonly path: string; readonly body?: object },
): Promise<Answer> {
  const headers = {
    ...(body === undefined ? {} : { "content-type": "application/json" }),
    ...(apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` }),
  };
  const init = { method, headers, signal: AbortSignal.timeout(ANSWER_MS) };
  let response: Response;
  try {
    response = await fetch(url + path, body === undefined ? init : { ...init, body: JSON.stringify(body) });
  } catch {
    throw new StartupError(`No awareness service answers at ${url}. Run npm start, or set DS_AWARENESS_URL.`);
  }
  const text = await response.text();
  if (!response.ok) throw new StartupError(`The awareness service answered ${response.status}: ${text}`);
  return (text === "" ? undefined : JSON.parse(text)) as Answer;
}
