import { createShares } from "@dataspace/outgoing/shares";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { type DueDelivery, LARGE_BODY_BYTES, readBody } from "../store/due-delivery.ts";

/** A body in memory; call `giveBack` once, when nothing needs it any more. */
export interface BodyInFlight {
  readonly body: string;
  readonly giveBack: () => void;
}

/** The bodies in the memory of one worker. Out: undefined where no bytes become free in time. */
export type TakeBody = (due: DueDelivery) => Promise<BodyInFlight | undefined>;

const MEBIBYTE = 1_048_576;
/** The largest number of concurrent attempts of one worker. Source: decision V25. */
export const AT_ONCE = 256;
/** The additional memory of small bodies, which are read with the claim. */
const SMALL_BYTES = AT_ONCE * LARGE_BODY_BYTES;
const LARGE_BYTES = 64 * MEBIBYTE - SMALL_BYTES;
/** Short, because the policy that allows the delivery was read before. */
const LONGEST_WAIT_MS = 1_000;

/**
 * Limits the bytes of bodies in flight: 64 MiB in one worker, a quarter of it for one consumer. A large body is read
 * from the database only after its bytes are reserved.
 *
 * Refuses: the database's errors, with nothing reserved. Source: decision V25.
 */
export function createTakeBody(database: Queryable): TakeBody {
  const shares = createShares({ total: LARGE_BYTES, each: LARGE_BYTES / 4 });
  return async ({ body, bodyBytes, eventId, subscriber }) => {
    if (body !== null) return { body, giveBack: () => undefined };
    const request = { holder: subscriber.consumer.id, amount: bodyBytes, timeoutMs: LONGEST_WAIT_MS };
    const giveBack = await shares.take(request);
    if (giveBack === undefined) return undefined;
    try {
      return { body: await readBody(database, eventId), giveBack };
    } catch (error) {
      giveBack();
      throw error;
    }
  };
}
