import { spawn } from "node:child_process";
import { once } from "node:events";

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
  // The shell replaces itself with a program that does not know its child.
  const script = '"$@" >&- & echo $!; exec sleep 600 >&-';
  const parent = spawn("/bin/sh", ["-c", script, "sh", ...command], {
    ...user,
    cwd: "/",
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(parent, "exit");
  const [line] = (await once(parent.stdout, "data")) as [Buffer];
  const pid = Number(line.toString().trim());
  return {
    pid,
    [Symbol.asyncDispose]: async () => {
      process.kill(pid, "SIGKILL");
      parent.kill("SIGKILL");
      await ended;
    },
  };
}
