import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database, Queryable } from "@dataspace/service-kit/postgres/database";
import { lockOwner } from "./owner-lock.ts";

/** New MetaEnvelopes of one owner, and where they are to be written: the database, or a transaction that is under way. */
export interface Creations {
  readonly database: Database | Queryable;
  readonly owner: EName;
  readonly wanted: number;
}

/** Writes new MetaEnvelopes; told how many of those wanted there is room for. */
type Write<T> = (database: Queryable, granted: number) => Promise<T>;

/** Writes new MetaEnvelopes within the owner's quota. Refuses: as `write` does. */
export type WithinQuota = <T>(creations: Creations, write: Write<T>) => Promise<T>;

/** What this process may still create for an owner before it has to count again, and what it has under way of that. */
interface Hand {
  size: number;
  left: number;
  underWay: number;
  untilMs: number;
}

const LARGEST_HAND = 1_000;
const SHARE_OF_ROOM = 16;
const HAND_MS = 60_000;
const REMEMBERED_OWNERS = 50_000;

/**
 * Makes the guard of how many active MetaEnvelopes an owner may have. Far below the quota a process counts once and then takes
 * a sixteenth of the room left, at most 1,000, into its hand for a minute, so that a create needs no statement more. Where that
 * does not suffice it counts under the owner's lock, in the transaction that writes.
 *
 * So the quota is passed, if at all, by what was under way or in another process's hand as it came near, never by more than
 * 1,000 for each process. In: `recordsPerOwner`, 0 for no quota. Source: decision V21.
 */
export function createWithinQuota(
  { clock }: { readonly clock: Clock },
  { recordsPerOwner }: { readonly recordsPerOwner: number },
): WithinQuota {
  if (recordsPerOwner === 0) return ({ database, wanted }, write) => write(database, wanted);
  const hands = new LRUCache<EName, Hand>({ max: REMEMBERED_OWNERS });
  const inTurn = createInTurn();
  const isGood = (hand: Hand | undefined, wanted: number): hand is Hand =>
    hand !== undefined && hand.untilMs > clock.nowMs() && (hand.left >= wanted || wanted > hand.size);
  async function refill({ database, owner, wanted }: Creations): Promise<Hand> {
    const before = hands.get(owner);
    if (isGood(before, wanted)) return before;
    const hand = before ?? { size: 0, left: 0, underWay: 0, untilMs: 0 };
    const room = recordsPerOwner - (await countActive(database, owner)) - hand.underWay;
    hand.size = Math.max(0, Math.min(LARGEST_HAND, Math.floor(room / SHARE_OF_ROOM)));
    hand.left = hand.size;
    hand.untilMs = clock.nowMs() + HAND_MS;
    hands.set(owner, hand);
    return hand;
  }
  return async (creations, write) => {
    const { owner, wanted } = creations;
    const known = hands.get(owner);
    const hand = isGood(known, wanted) ? known : await inTurn(owner, () => refill(creations));
    return hand.left >= wanted
      ? writeFromHand(creations, hand, write)
      : writeCounted(creations, recordsPerOwner, write);
  };
}

async function writeFromHand<T>({ database, wanted }: Creations, hand: Hand, write: Write<T>): Promise<T> {
  hand.left -= wanted;
  hand.underWay += wanted;
  try {
    return await write(database, wanted);
  } finally {
    hand.underWay -= wanted;
  }
}

function writeCounted<T>({ database, owner, wanted }: Creations, recordsPerOwner: number, write: Write<T>): Promise<T> {
  const inTransaction = async (transaction: Queryable): Promise<T> => {
    await lockOwner(transaction, owner);
    const room = Math.max(0, recordsPerOwner - (await countActive(transaction, owner)));
    return write(transaction, Math.min(wanted, room));
  };
  return "transaction" in database ? database.transaction(inTransaction) : inTransaction(database);
}

async function countActive(database: Queryable, owner: EName): Promise<number> {
  const counted = await database.query<{ n: number }>({
    name: "quota:count",
    text: `select (select coalesce(sum(n), 0) from record_count where owner = $1)::bigint
        + (select count(*) from meta_envelope where owner = $1 and acl_key is not null and not removed) as n`,
    values: [owner],
  });
  return counted.rows[0]?.n ?? 0;
}
