import { listenerOf } from "../consumers/listener-of.ts";
import type { EventPolicy } from "../matching/event-policy.ts";
import { mayHear } from "../matching/may-hear.ts";
import type { MayHearOf } from "./attempt-delivery.ts";

/**
 * Makes the decision of each attempt: whether the consumer, as it counts now, may receive events of this record under
 * the newest known policy.
 *
 * In: `legacyTokens` as DS_LEGACY_PLATFORM_TOKENS has it. Refuses: never. Source: decision E4.
 */
export function createMayHearOf(config: { readonly legacyTokens: "accept" | "read-only" | "reject" }): MayHearOf {
  return ({ dsid, schemaId, policy, subscriber }) => {
    const known = JSON.parse(policy) as EventPolicy;
    return mayHear({ dsid, schemaId, policy: known }, listenerOf(subscriber.consumer, config));
  };
}
