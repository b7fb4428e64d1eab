import { type Listening, listenerOf } from "../consumers/listener-of.ts";
import type { EventPolicy } from "../matching/event-policy.ts";
import { mayHear } from "../matching/may-hear.ts";
import { textToTerms } from "../store/owner-policy-rows.ts";
import type { MayHearOf } from "./attempt-delivery.ts";

/**
 * Makes the question that each attempt asks anew: may this consumer, as it counts now, hear of this record under the newest policy
 * known of it, and the newest one known of its owner?
 *
 * In: `domains`, the domain of every ontology that has one. Refuses: never. Source: decisions E4, E9.
 */
export function createMayHearOf(config: Listening & { readonly domains: ReadonlyMap<string, string> }): MayHearOf {
  return ({ dsid, schemaId, policy, ownerPolicy, subscriber }) => {
    const known = JSON.parse(policy) as EventPolicy;
    const record = {
      dsid,
      schemaId,
      domain: config.domains.get(schemaId),
      policy: known,
      terms: textToTerms(ownerPolicy),
    };
    return mayHear(record, listenerOf(subscriber.consumer, config));
  };
}
