import { UpstreamError } from "./upstream-error.ts";

/**
 * Limits a request to the share of the caller who causes it.
 *
 * In: `take` counts one request and returns whether it is within the share.
 * Refuses: as `ask`; UpstreamError `refused` with the status 429 beyond the share. Source: decision V25.
 */
export function withinShare<In, Out>(
  take: () => boolean,
  ask: (question: In) => Promise<Out>,
): (question: In) => Promise<Out> {
  return async (question) => {
    if (take()) return ask(question);
    const refusal = { status: 429, code: "RATE_LIMITED", body: undefined };
    throw new UpstreamError("refused", "One caller caused too many questions to the registry.", { refusal });
  };
}
