import { Refusal } from "./refusal.ts";

/** The bytes of one request's body that are in memory. */
export interface BodyHold {
  /** Counts bytes that have arrived. Refuses: BUSY (503) when the pool or the holder's share of it is used up. */
  readonly take: (bytes: number) => void;
  /** Releases all of them; nothing is counted afterwards. */
  readonly release: () => void;
}

/** Starts the count of one request's bytes. In: the holder of the request. Refuses: never. */
export type OpenBodyHold = (holder: string) => BodyHold;

/**
 * Makes the pool of a server's request bodies. It counts received bytes, not announced ones. A holder has at most a
 * quarter of the pool, and half of it while nobody else uses any.
 *
 * Source: decision V25.
 */
export function createBodyPool(totalBytes: number): OpenBodyHold {
  const bytesByHolder = new Map<string, number>();
  let heldBytes = 0;

  function add(holder: string, bytes: number): void {
    const own = (bytesByHolder.get(holder) ?? 0) + bytes;
    heldBytes += bytes;
    if (own === 0) bytesByHolder.delete(holder);
    else bytesByHolder.set(holder, own);
  }

  return (holder) => {
    let taken = 0;
    let isOpen = true;
    return {
      take: (bytes) => {
        if (!isOpen) return;
        const own = bytesByHolder.get(holder) ?? 0;
        const share = own === heldBytes ? totalBytes / 2 : totalBytes / 4;
        if (own + bytes > share || heldBytes + bytes > totalBytes) throw busy();
        taken += bytes;
        add(holder, bytes);
      },
      release: () => {
        if (isOpen && taken > 0) add(holder, -taken);
        isOpen = false;
      },
    };
  };
}

/** The refusal of a request when the pool is used up. Source: decision V25. */
export function busy(): Refusal {
  const message = "The server holds as many request bodies as it may; send this request again in a moment.";
  return new Refusal("BUSY", message, { status: 503 });
}
