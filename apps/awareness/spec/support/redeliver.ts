import { type Redelivered, redeliverPart } from "../../src/store/redeliver.ts";

/** Puts back all parts of a redelivery, one after the other. */
export async function redeliver(...[database, request]: Parameters<typeof redeliverPart>): Promise<Redelivered> {
  let done: Redelivered = { deliveries: 0, lanes: 0, busyLanes: 0 };
  let after: Parameters<typeof redeliverPart>[2];
  do {
    const part = await redeliverPart(database, request, after);
    const { deliveries, lanes, busyLanes } = part.put;
    done = {
      deliveries: done.deliveries + deliveries,
      lanes: done.lanes + lanes,
      busyLanes: done.busyLanes + busyLanes,
    };
    after = part.after;
  } while (after !== undefined);
  return done;
}
