import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { fileURLToPath } from "node:url";

/** A process of ours that answers questions, so that its CPU time and memory are its own. */
export interface Child extends AsyncDisposable {
  readonly pid: number;
  readonly ask: <Answer>(question: string, details?: unknown) => Promise<Answer>;
}

interface Reply {
  readonly id: number;
  readonly answer?: unknown;
  readonly fault?: string;
}

/**
 * Starts a script of `support/` as a process, with this process's own Node options and those in DS_BENCH_CHILD_OPTIONS, such as
 * `--cpu-prof`.
 *
 * Refuses: a question rejects with what the child threw, or when the child ends before it has answered.
 */
export function startChild(script: string): Child {
  const given = (process.env["DS_BENCH_CHILD_OPTIONS"] ?? "").split(" ").filter((option) => option !== "");
  const execArgv = [...process.execArgv, ...given];
  const child = fork(fileURLToPath(new URL(script, import.meta.url)), { execArgv, stdio: ["ignore", 2, 2, "ipc"] });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let asked = 0;
  child.on("message", ({ id, answer, fault }: Reply) => {
    const question = waiting.get(id);
    waiting.delete(id);
    if (fault === undefined) question?.resolve(answer);
    else question?.reject(new Error(`${script}: ${fault}`));
  });
  child.on("exit", () => {
    for (const question of waiting.values()) question.reject(new Error(`${script} ended before it answered`));
  });
  return {
    pid: child.pid as number,
    ask: <Answer>(question: string, details?: unknown) => {
      const id = asked++;
      const pending = Promise.withResolvers<unknown>();
      waiting.set(id, pending);
      child.send({ id, question, details });
      return pending.promise as Promise<Answer>;
    },
    [Symbol.asyncDispose]: () => end(child),
  };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const exited = once(child, "exit");
  child.disconnect();
  await exited;
}

/** In the child: answers each question with its function; ends with `close` when the parent is gone. */
export function answerParent(
  answers: Readonly<Record<string, (details: never) => Promise<unknown>>>,
  close: () => Promise<void>,
): void {
  process.on("message", ({ id, question, details }: { id: number; question: string; details: unknown }) => {
    const answer = answers[question];
    if (answer === undefined) throw new Error(`unknown question ${question}`);
    answer(details as never).then(
      (found) => process.send?.({ id, answer: found }),
      (error: Error) => process.send?.({ id, fault: error.stack ?? error.message }),
    );
  });
  process.once("disconnect", () => {
    close().then(
      () => process.exit(0),
      () => process.exit(1),
    );
  });
}
