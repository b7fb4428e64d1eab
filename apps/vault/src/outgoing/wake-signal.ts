/** A number in shared memory with which one thread wakes another. */
export type WakeSignal = Int32Array<SharedArrayBuffer>;

/** Nothing was sent since the receiver last looked, and it will not look by itself. */
const IDLE = 0;
const SENT = 1;
/** The receiver has just received a signal, so it will look again by itself. */
const WATCHED = 2;
/** A message between threads costs far more than a signal, so one message serves several close signals. */
const LOOK_AGAIN_MS = 2;

/** Makes a signal that is not sent yet. */
export function createWakeSignal(): WakeSignal {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/**
 * Sends the signal. Out: whether the receiver needs a message too, because it will not look by itself. Refuses: never.
 */
export function sendWakeSignal(signal: WakeSignal): boolean {
  return Atomics.exchange(signal, 0, SENT) === IDLE;
}

/** Calls `onSignal` now, and again while signals keep coming. No signal is lost. Refuses: never. */
export function receiveWakeSignal(signal: WakeSignal, onSignal: () => void): void {
  Atomics.store(signal, 0, WATCHED);
  onSignal();
  setTimeout(() => {
    if (Atomics.exchange(signal, 0, IDLE) === SENT) receiveWakeSignal(signal, onSignal);
  }, LOOK_AGAIN_MS);
}
