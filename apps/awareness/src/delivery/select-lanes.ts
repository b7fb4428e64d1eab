import type { Listener } from "../matching/listener.ts";
import type { SelectLanes } from "../store/redeliver.ts";
import { requireStanding } from "../visibility/require-standing.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";

/** Makes the selection of the lanes whose records a consumer may read now. Refuses: STATUS_UNAVAILABLE; the database's errors. Source: decision E7. */
export function createSelectLanes(decideVisibility: DecideVisibility, listener: Listener): SelectLanes {
  return async (lanes) => {
    const isVisible = requireStanding(await decideVisibility(listener, lanes));
    return lanes.filter((_, index) => isVisible[index] === true);
  };
}
