import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import type { Caller } from "../caller/caller.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** Counts a request for its caller. Refuses: RATE_LIMITED (429). */
export type LimitCaller = (
  request: FastifyRequest,
  caller: Pick<Caller, "owner" | "credential" | "subject" | "platform">,
) => Promise<void>;

/** Requests a minute; 0 for no limit. */
export interface CallerLimits {
  readonly perCaller: number;
  readonly anonymous: number;
}

const MINUTE = { windowSeconds: 60 };

/**
 * Makes the limits by caller: one per proven caller and owner's vault, and a stricter one by source address for
 * unproven callers. Anybody may hold a legacy token with any platform name, so name and address are counted
 * together, and no stranger can use up another's limit. In header mode only the address's limit applies.
 *
 * Source: decisions I3, V21.
 */
export function createLimitCaller(app: FastifyInstance, limits: CallerLimits): LimitCaller {
  const countCaller = createRateLimit(app, { name: "caller", requests: limits.perCaller, ...MINUTE });
  const countAnonymous = createRateLimit(app, { name: "anonymous", requests: limits.anonymous, ...MINUTE });
  return async (request, { owner, credential, subject, platform }) => {
    if (credential === "anonymous") return countAnonymous(request, addressKey(request));
    if (subject !== null) return countCaller(request, `${owner} ${subject}`);
    if (platform !== null) return countCaller(request, `${owner} ${platform} ${addressKey(request)}`);
  };
}
