import type { LoginState } from "./pending-logins.ts";

/** What a stream of a login's states is made from. `next` is the address to open after the signature. */
export interface LoginEventsSource {
  readonly look: () => Promise<LoginState | undefined>;
  readonly next: string;
  readonly onClose: () => void;
}

/** A stream of events as an HTTP body, and what ends it from this side. */
export interface LoginEvents {
  readonly body: ReadableStream<Uint8Array>;
  readonly end: () => void;
}

const LOOK_MS = 1_000;
const LOOKS_PER_HEARTBEAT = 15;
const RECONNECT_MS = 2_000;

/**
 * Makes the event stream of one login: `pending`, `signed`, `failed`, `expired`. The present state comes first, so a reconnect needs
 * no history. The stream ends after a final state.
 *
 * Refuses: never; an error of `look` ends the stream, and the browser connects again. Source: S2 "Events"; decisions L9, L13.
 */
export function createLoginEvents({ look, next, onClose }: LoginEventsSource): LoginEvents {
  const encoder = new TextEncoder();
  let controller: ReadableStreamDefaultController<Uint8Array> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let looks = 0;
  let sent = "";
  const stop = (): void => {
    if (controller === undefined) return;
    controller = undefined;
    clearTimeout(timer);
    onClose();
  };
  const end = (): void => {
    controller?.close();
    stop();
  };
  const write = (text: string): void => controller?.enqueue(encoder.encode(text));
  const report = (state: LoginState): void => {
    const event = state === "checking" ? "pending" : state;
    looks += 1;
    if (event === sent) {
      if (looks % LOOKS_PER_HEARTBEAT === 0) write(": waiting\n\n");
      return;
    }
    sent = event;
    const data = event === "signed" ? { state: event, next } : { state: event };
    write(`event: ${event}\ndata: ${JSON.stringify(data)}\n\n`);
    if (event !== "pending") end();
  };
  // One look at a time, however slow: the next one begins after the last has ended.
  const follow = async (): Promise<void> => {
    try {
      report((await look()) ?? "expired");
    } catch {
      end();
    }
    if (controller !== undefined) timer = setTimeout(() => void follow(), LOOK_MS);
  };
  const body = new ReadableStream<Uint8Array>({
    start: (given) => {
      controller = given;
      write(`retry: ${RECONNECT_MS}\n\n`);
      void follow();
    },
    cancel: stop,
  });
  return { body, end };
}
