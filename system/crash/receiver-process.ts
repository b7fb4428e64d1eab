import { fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";
import type { ReceiverNews, ReceiverStart } from "./receiver-child.ts";

/** The receiver in a separate process. */
export interface ReceiverProcess extends AsyncDisposable {
  readonly url: string;
  /** How many events the slowest subscriber has applied. */
  readonly applied: () => number;
  /** Withholds the answer to the next webhook permanently; resolves when that webhook was applied. */
  readonly holdNext: () => Promise<void>;
}

const SCRIPT = fileURLToPath(new URL("./receiver-child.ts", import.meta.url));

/** The names of its subscribers, which are the paths of their addresses. */
export const SUBSCRIBERS: readonly string[] = ["steady", "flaky"];

/** Starts the receiver. */
export async function startReceiverProcess(start: ReceiverStart): Promise<ReceiverProcess> {
  const child = fork(SCRIPT, { stdio: ["ignore", 2, 2, "ipc"] });
  let applied = 0;
  let held = Promise.withResolvers<void>();
  const listens = Promise.withResolvers<string>();
  child.on("message", (news: ReceiverNews) => {
    if ("url" in news) listens.resolve(news.url);
    else if ("held" in news) held.resolve();
    else applied = Math.min(...Object.values(news.applied));
  });
  child.once("exit", (code) => listens.reject(new Error(`the receiver ended with ${code}`)));
  child.send({ start });
  return {
    url: await listens.promise,
    applied: () => applied,
    holdNext: () => {
      held = Promise.withResolvers();
      child.send({ hold: true });
      return held.promise;
    },
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, "exit");
      child.disconnect();
      await ended;
    },
  };
}
