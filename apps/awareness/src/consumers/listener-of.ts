import type { Clock } from "@dataspace/service-kit/clock";
import { claimAt } from "../matching/kept-claim.ts";
import type { Listener } from "../matching/listener.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";

/** What decides beside the consumer: what legacy tokens may do, as DS_LEGACY_PLATFORM_TOKENS has it, and the time. */
export interface Listening {
  readonly legacyTokens: "accept" | "read-only" | "reject";
  readonly clock: Clock;
}

/**
 * Tells what a consumer counts as when it is asked what it may hear.
 *
 * With legacy tokens rejected an operator's word opens no legacy record; evidence does, until its certificate ends.
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
