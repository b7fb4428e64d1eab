import { type Listening, listenerOf } from "../consumers/listener-of.ts";
import type { EventPolicy } from "../matching/event-policy.ts";
import { mayHear } from "../matching/may-hear.ts";
import { textToTerms } from "../store/owner-policy-rows.ts";
import type { MayHearOf } from "./attempt-delivery.ts";

/**
 * Makes the decision of each attempt: whether the consumer, as it counts now, may receive events of this record. It
 * uses the newest known policies of the record and of its owner.
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
