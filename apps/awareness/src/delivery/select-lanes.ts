import type { Listener } from "../matching/listener.ts";
import type { SelectLanes } from "../store/redeliver.ts";
import type { DecideVisibility } from "../visibility/visibility.ts";

/** Makes the selection of the lanes whose records a consumer may read now. Refuses: the database's errors. Source: decision E7. */
export function createSelectLanes(decideVisibility: DecideVisibility, listener: Listener): SelectLanes {
  return async (lanes) => {
    const { isVisible } = await decideVisibility(listener, lanes);
    return lanes.filter((_, index) => isVisible[index] === true);
  };
}
