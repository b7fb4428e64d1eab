import type { Log } from "../log.ts";
import type { Metrics } from "./metrics.ts";

/**
 * Adds the count of what must never be. Out: what takes how many such rows there are each time somebody looks; the count is the
 * most that were seen at once, so that one which lasts counts once, and each more is logged.
 *
 * In: `what`, in the words of the log. Refuses: never. Source: decision P6.
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
