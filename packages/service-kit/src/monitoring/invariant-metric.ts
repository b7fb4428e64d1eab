import type { Log } from "../log.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Adds a count of violated invariants. Out: a function that takes the number of violations at each check. The count is
 * the largest number seen at once, so that a lasting violation counts once. Each increase is logged.
 *
 * In: `what`, for the log. Refuses: never. Source: decision P6.
 */
export function addInvariant(
  { metrics, log }: { readonly metrics: Metrics; readonly log: Log },
  what: string,
): (failures: number) => void {
  const count = metrics.addCounter({
    name: "invariant_failures_total",
    help: `${what}, the most at once since the start; must be 0.`,
    labels: [],
  });
  let most = 0;
  count({}, 0);
  return (failures) => {
    if (failures <= most) return;
    count({}, failures - most);
    most = failures;
    log.error({ failures }, `an invariant is broken: ${what}`);
  };
}
