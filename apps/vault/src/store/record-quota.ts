import { createInTurn } from "@dataspace/service-kit/postgres/in-turn";
import { LRUCache } from "lru-cache";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { lockOwner, type UnderOwnerLock } from "./owner-lock.ts";
import type { QuotaItem } from "./quota-item.ts";

/**
 * Items to write for one owner, by guests or by others, and where. Without `underOwnerLock`, the database is a
 * transaction in progress.
 */
export interface QuotaRequest {
  readonly database: Queryable;
  readonly underOwnerLock: UnderOwnerLock | undefined;
  readonly owner: EName;
  readonly guest: boolean;
  readonly items: readonly QuotaItem[];
}

/** The quotas of an owner: active MetaEnvelopes and bytes, and the same for guests; 0: no quota. Source: decision V21. */
export interface QuotaLimits {
  readonly recordsPerOwner: number;
  readonly bytesPerOwner: number;
  readonly guestRecordsPerOwner: number;
  readonly guestBytesPerOwner: number;
}

/** Writes the first `granted` items; the others exceed the quota. */
type Write<T> = (database: Queryable, granted: number) => Promise<T>;

/** Writes items within their quota. Refuses: as `write` does. */
export type WithinQuota = <T>(request: QuotaRequest, write: Write<T>) => Promise<T>;

/**
 * What this process may still write under one quota before it has to count again, and how much of it is in progress.
 */
interface Reserve {
  size: QuotaItem;
  left: QuotaItem;
  underWay: QuotaItem;
  untilMs: number;
  /** Writes that count for themselves: how many are in progress, and how many ever began. */
  counting: number;
  begun: number;
}

const NOTHING: QuotaItem = { records: 0, bytes: 0 };
const LARGEST_RESERVE: QuotaItem = { records: 1_000, bytes: 16 * 1_048_576 };
const SHARE_OF_ROOM = 16;
const RESERVE_MS = 60_000;
const REMEMBERED_RESERVES = 50_000;

/**
 * Makes the check of the quotas. Far below a quota a process counts once and then reserves a sixteenth of the rest, at
 * most 1,000 MetaEnvelopes and 16 MiB, for a minute, so that a write needs no further statement. Where that does not
 * suffice it counts under the owner's lock, in the writing transaction.
 *
 * A quota is exceeded, if at all, by writes in progress or reserved elsewhere near the limit, never by more than the
 * largest reservation per process. Source: decision V21.
 */
export function createWithinQuota({ clock }: { readonly clock: Clock }, limits: QuotaLimits): WithinQuota {
  const owners = toQuota(limits.recordsPerOwner, limits.bytesPerOwner);
  const guests = toQuota(limits.guestRecordsPerOwner, limits.guestBytesPerOwner);
  const reserves = new LRUCache<string, Reserve>({ max: REMEMBERED_RESERVES });
  const inTurn = createInTurn();
  const isGood = (reserve: Reserve, wanted: QuotaItem): boolean =>
    reserve.counting > 0 ||
    (reserve.untilMs > clock.nowMs() && (fits(wanted, reserve.left) || !fits(wanted, reserve.size)));
  function reserveOf(key: string): Reserve {
    const known = reserves.get(key);
    if (known !== undefined) return known;
    const made = { size: NOTHING, left: NOTHING, underWay: NOTHING, untilMs: 0, counting: 0, begun: 0 };
    reserves.set(key, made);
    return made;
  }
  async function refill(request: QuotaRequest, reserve: Reserve, wanted: QuotaItem): Promise<void> {
    if (isGood(reserve, wanted)) return;
    const { begun } = reserve;
    const room = subtract(request.guest ? guests : owners, await countUsed(request));
    // A write that began to count meanwhile uses the same rest.
    reserve.size = reserve.begun === begun ? shareOf(subtract(room, reserve.underWay)) : NOTHING;
    reserve.left = reserve.size;
    reserve.untilMs = clock.nowMs() + RESERVE_MS;
  }
  return async (request, write) => {
    const { database, owner, guest, items } = request;
    const quota = guest ? guests : owners;
    if (quota.records === Infinity && quota.bytes === Infinity) return write(database, items.length);
    const wanted = items.reduce(add, NOTHING);
    const key = `${guest ? "guest" : "owner"} ${owner}`;
    const reserve = reserveOf(key);
    if (!isGood(reserve, wanted)) await inTurn(key, () => refill(request, reserve, wanted));
    return reserve.counting === 0 && fits(wanted, reserve.left)
      ? writeReserved(request, { reserve, wanted }, write)
      : writeCounted(request, { reserve, quota }, write);
  };
}

async function writeReserved<T>(
  { database, items }: QuotaRequest,
  { reserve, wanted }: { readonly reserve: Reserve; readonly wanted: QuotaItem },
  write: Write<T>,
): Promise<T> {
  reserve.left = subtract(reserve.left, wanted);
  reserve.underWay = add(reserve.underWay, wanted);
  try {
    return await write(database, items.length);
  } finally {
    reserve.underWay = subtract(reserve.underWay, wanted);
  }
}

async function writeCounted<T>(
  request: QuotaRequest,
  { reserve, quota }: { readonly reserve: Reserve; readonly quota: QuotaItem },
  write: Write<T>,
): Promise<T> {
  const { database, underOwnerLock, owner, items } = request;
  const inTransaction = async (transaction: Queryable): Promise<T> => {
    const used = await countUsed({ ...request, database: transaction });
    return write(transaction, countFitting(items, subtract(subtract(quota, used), reserve.underWay)));
  };
  reserve.counting += 1;
  reserve.begun += 1;
  reserve.left = NOTHING;
  try {
    if (underOwnerLock !== undefined) return await underOwnerLock(owner, inTransaction);
    await lockOwner(database, owner);
    return await inTransaction(database);
  } finally {
    reserve.counting -= 1;
  }
}

function countFitting(items: readonly QuotaItem[], room: QuotaItem): number {
  let taken = NOTHING;
  const firstOver = items.findIndex((item) => {
    taken = add(taken, item);
    return !fits(taken, room);
  });
  return firstOver === -1 ? items.length : firstOver;
}

const USED_BY_OWNER = {
  name: "quota:owner",
  text: `select coalesce(sum(n - guest_n), 0)::bigint + (select count(*) from meta_envelope
           where owner = $1 and acl_key is not null and not removed) as records,
         coalesce(sum(bytes), 0)::bigint + coalesce((select used_bytes from file_usage where owner = $1), 0) as bytes
    from record_count where owner = $1`,
};
const USED_BY_GUESTS = {
  name: "quota:guest",
  text: `select coalesce(sum(guest_n), 0)::bigint as records,
         coalesce(sum(guest_bytes), 0)::bigint + coalesce((select guest_bytes from file_usage where owner = $1), 0) as bytes
    from record_count where owner = $1`,
};

async function countUsed({
  database,
  owner,
  guest,
}: Pick<QuotaRequest, "database" | "owner" | "guest">): Promise<QuotaItem> {
  const statement = guest ? USED_BY_GUESTS : USED_BY_OWNER;
  return (await database.query<QuotaItem>({ ...statement, values: [owner] })).rows[0] ?? NOTHING;
}

function toQuota(records: number, bytes: number): QuotaItem {
  return { records: records || Infinity, bytes: bytes || Infinity };
}

function shareOf({ records, bytes }: QuotaItem): QuotaItem {
  const share = (room: number, largest: number) => Math.max(0, Math.min(largest, Math.floor(room / SHARE_OF_ROOM)));
  return { records: share(records, LARGEST_RESERVE.records), bytes: share(bytes, LARGEST_RESERVE.bytes) };
}

// An update adds no record, so it fits even where there are already too many.
function fits(wanted: QuotaItem, room: QuotaItem): boolean {
  return (wanted.records === 0 || wanted.records <= room.records) && wanted.bytes <= room.bytes;
}

function add(one: QuotaItem, other: QuotaItem): QuotaItem {
  return { records: one.records + other.records, bytes: one.bytes + other.bytes };
}

function subtract(one: QuotaItem, other: QuotaItem): QuotaItem {
  return { records: one.records - other.records, bytes: one.bytes - other.bytes };
}
