import { type Listening, listenerOf } from "../consumers/listener-of.ts";
import type { EventPolicy } from "../matching/event-policy.ts";
import { textToTerms } from "../store/owner-policy-rows.ts";
import type { Hearing } from "../visibility/hearing.ts";
import type { MayHearOf } from "./attempt-delivery.ts";

/**
 * Makes the decision of each attempt: whether the consumer, as it counts now, may receive events of this record. It
 * uses the newest known policies of the record and of its owner, and asks whether a platform's certificate still holds.
 *
 * In: `domains`, the domain of every ontology that has one. Refuses: the database's errors. Source: decisions E4, E9.
 */
export function createMayHearOf(
  hearing: Hearing,
  config: Listening & { readonly domains: ReadonlyMap<string, string> },
): MayHearOf {
  return async ({ dsid, schemaId, policy, ownerPolicy, subscriber }) => {
    const standing = await hearing.standingOf(listenerOf(subscriber.consumer, config));
    const record = {
      dsid,
      schemaId,
      domain: config.domains.get(schemaId),
      policy: JSON.parse(policy) as EventPolicy,
      terms: textToTerms(ownerPolicy),
    };
    const [outcome = "denied"] = await hearing.decide(standing, [record]);
    return outcome;
  };
}
