import { awarenessRefusal } from "../errors.ts";
import type { Decisions } from "./visibility.ts";

/**
 * Reads which records a consumer may read now, for answers that would leave out the others for good.
 *
 * Out: in the order of the records. Refuses: STATUS_UNAVAILABLE where the status of the consumer's own certificate
 * decides about one of them and is not known. Source: decisions A1, E7.
 */
export function requireStanding({ outcomes, isStandingKnown }: Decisions): readonly boolean[] {
  if (!isStandingKnown && outcomes.includes("unknown")) {
    throw awarenessRefusal(
      "STATUS_UNAVAILABLE",
      "The authority does not say whether your certificate still holds; retry in 30 seconds.",
    );
  }
  return outcomes.map((outcome) => outcome === "admitted");
}
