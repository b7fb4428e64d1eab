/** A bell that one thread rings and another hears; a number in memory that both see. */
export type Bell = Int32Array<SharedArrayBuffer>;

/** Nobody has rung since it was last heard. */
const QUIET = 0;
const RUNG = 1;
/** It was heard just now, so its hearer looks at it again by itself. */
const HEARD = 2;
/** A message costs either thread far more than a ring does; where rings come close together one message serves them. */
const LOOK_AGAIN_MS = 2;

/** Makes a bell that is quiet. */
export function createBell(): Bell {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Rings. Out: whether the hearer has to be sent a message, for it does not look at the bell by itself. Refuses: never. */
export function ring(bell: Bell): boolean {
  return Atomics.exchange(bell, 0, RUNG) === QUIET;
}

/** Takes the message: `onRing` now, and again as long as it goes on ringing. No ring is lost. Refuses: never. */
export function hear(bell: Bell, onRing: () => void): void {
  Atomics.store(bell, 0, HEARD);
  onRing();
  setTimeout(() => {
    if (Atomics.exchange(bell, 0, QUIET) === RUNG) hear(bell, onRing);
  }, LOOK_AGAIN_MS);
}
