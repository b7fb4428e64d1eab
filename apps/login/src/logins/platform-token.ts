import { UpstreamError } from "@dataspace/clients/upstream-error";
import type { RegistryClient } from "@dataspace/clients/registry-client";
import type { Clock } from "@dataspace/service-kit/clock";

const FRESH_MS = 3_300_000;

/**
 * Makes the source of the connector's own platform token, with which it reads profiles; it asks the registry at most
 * once an hour.
 *
 * Out: undefined where the registry no longer issues such tokens. Refuses: UpstreamError when the registry does not
 * answer.
 * Source: S2 "Claims"; decision I7.
 */
export function createPlatformToken(
  deps: { readonly registry: Pick<RegistryClient, "requestPlatformToken">; readonly clock: Clock },
  { issuer }: { readonly issuer: string },
): () => Promise<string | undefined> {
  let last: { readonly token: Promise<string | undefined>; readonly atMs: number } | undefined;
  return async () => {
    if (last !== undefined && deps.clock.nowMs() - last.atMs < FRESH_MS) return last.token;
    const token = deps.registry.requestPlatformToken(issuer).catch((error: unknown) => {
      if (error instanceof UpstreamError && error.refusal?.status === 410) return undefined;
      last = undefined;
      throw error;
    });
    last = { token, atMs: deps.clock.nowMs() };
    return token;
  };
}
