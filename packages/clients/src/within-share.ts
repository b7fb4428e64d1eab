import { UpstreamError } from "./upstream-error.ts";

/**
 * Makes a question that is asked only while the share of whoever causes it lasts.
 *
 * In: `take` counts one question and tells whether it is within the share.
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
