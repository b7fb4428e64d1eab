import { createRegistryClient } from "@dataspace/clients/registry-client";
import { decodeJwt } from "jose";
import type { Fetch } from "@dataspace/clients/timed-fetch";
import { platformClock } from "./client-clock.ts";
import type { Credential } from "./credential.ts";
import { createTokenCache } from "./token-cache.ts";

/** Which platform asks, and the registry that issues its token. `platform` is the platform's base address. */
export interface PlatformCredentialConfig {
  readonly registryUrl: string;
  readonly platform: string;
}

const RENEW_BEFORE_MS = 300_000;
const USUAL_LIFETIME_MS = 3_600_000;

/**
 * Makes the credential of a platform by the registry's legacy platform token, which is obtained once and renewed 5 minutes before
 * its end.
 *
 * Refuses: its headers reject with an UpstreamError when the registry gives no token. Source: S3 "Registry calls"; decision I7.
 */
export function createPlatformCredential(
  { registryUrl, platform }: PlatformCredentialConfig,
  deps: { readonly fetch: Fetch; readonly nowMs: () => number } = {
    fetch: globalThis.fetch,
    nowMs: platformClock.nowMs,
  },
): Credential {
  const registry = createRegistryClient({ fetch: deps.fetch }, { registryUrl });
  const obtain = async () => {
    const token = await registry.requestPlatformToken(platform);
    return { token, expiresAtMs: readExpiry(token) ?? deps.nowMs() + USUAL_LIFETIME_MS };
  };
  const tokens = createTokenCache(deps, { renewBeforeMs: RENEW_BEFORE_MS });
  return {
    headersFor: async () => ({ authorization: `Bearer ${await tokens.get(platform, obtain)}` }),
    forget: (_owner, { authorization = "" }) => tokens.forget(platform, authorization.slice("Bearer ".length)),
  };
}

/** Read for its end alone: the vault judges the token. */
function readExpiry(token: string): number | undefined {
  try {
    const { exp } = decodeJwt(token);
    return exp === undefined ? undefined : exp * 1_000;
  } catch {
    return undefined;
  }
}
