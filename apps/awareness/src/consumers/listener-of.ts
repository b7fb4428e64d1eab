import type { Clock } from "@dataspace/service-kit/clock";
import type { Listener } from "../matching/listener.ts";
import { claimAt } from "../matching/stored-claim.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";

/** The inputs beside the consumer: DS_LEGACY_PLATFORM_TOKENS, and the time. */
export interface Listening {
  readonly legacyTokens: "accept" | "read-only" | "reject";
  readonly clock: Clock;
}

/**
 * Describes a consumer for the decision whether it may receive an event.
 *
 * With legacy tokens rejected an operator's approval opens no legacy record; evidence does, until its certificate ends.
 * Refuses: never. Source: decisions E4, E9, I7.
 */
export function listenerOf(
  { id, ename, platform, approved, claim }: Consumer,
  { legacyTokens, clock }: Listening,
): Listener {
  const isDev = id === DEV_CONSUMER.id;
  return {
    ename,
    platform: approved ? platform : null,
    isPlatform: approved && (isDev || legacyTokens !== "reject"),
    isDev,
    evidence: claim === null ? null : claimAt(claim, clock.nowMs()),
  };
}
