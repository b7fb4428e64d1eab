import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";

/** A process whose parent never reads its exit status: once killed it stays a zombie, until this is disposed of. */
export interface UnreapedProcess extends AsyncDisposable {
  readonly pid: number;
}

/**
 * Starts one. In: the user it runs as, the current one when absent; its command, which sleeps when absent. Refuses:
 * never by itself.
 */
export async function startUnreaped(
  user: { readonly uid?: number; readonly gid?: number } = {},
  command: readonly string[] = ["sleep", "600"],
): Promise<UnreapedProcess> {
  // The shell replaces itself with one that does not know its child, and that one with a program that waits for nobody.
  const script = `"$@" >&- & exec /bin/sh -c 'echo "$1"; exec sleep 600 >&-' sh "$!"`;
  const parent = spawn("/bin/sh", ["-c", script, "sh", ...command], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(parent, "exit");
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString().trim());
  await untilSleeping(parent.pid as number);
  return {
    pid,
    [Symbol.asyncDispose]: async () => {
      // The parent first: without it the system reads the exit status of the child, whatever state that is in.
      parent.kill("SIGKILL");
      killIfThere(pid);
      await ended;
    },
  };
}

// A shell reads the exit status of any child, also of one that it did not start.
async function untilSleeping(pid: number): Promise<void> {
  const command = `/proc/${pid}/comm`;
  while (existsSync(command) && readFileSync(command, "utf8") !== "sleep\n") await sleep(1);
}

function killIfThere(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "ESRCH") throw error;
  }
}
