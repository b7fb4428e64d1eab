import { spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { SERVER_ENVIRONMENT } from "./postgres-cluster.ts";

/** A process by its number and its start, so that a later process with the same number is another one. */
export interface ProcessIdentity {
  readonly pid: number;
  /**
   * A text for comparison. With /proc: the boot's id and the start in clock ticks; elsewhere the start as `ps` prints
   * it.
   */
  readonly start: string;
}

/** The state of a process. A `zombie` has ended and waits for its parent to read its exit status. */
export type ProcessState = "running" | "zombie" | "gone";

const PROC = "/proc";
/** Positions behind the command's closing parenthesis in /proc/<pid>/stat. Source: proc_pid_stat(5), fields 3 and 22. */
const STATE_FIELD = 0;
const START_FIELD = 19;
const ENDED_STATES = new Set(["Z", "X", "x"]);

/** Identifies a running process. Out: undefined for one that does not exist or has ended. Refuses: never. */
export function identifyProcess(pid: number): ProcessIdentity | undefined {
  const found = lookUp(pid);
  return found === undefined || found.hasEnded ? undefined : { pid, start: found.start };
}

/** Finds the state of a previously identified process. Refuses: never. */
export function stateOf({ pid, start }: ProcessIdentity): ProcessState {
  const found = lookUp(pid);
  if (found === undefined || found.start !== start) return "gone";
  return found.hasEnded ? "zombie" : "running";
}

/** The current state of a process in the system. */
interface Found {
  readonly hasEnded: boolean;
  readonly start: string;
}

function lookUp(pid: number): Found | undefined {
  return existsSync(`${PROC}/self/stat`) ? readProc(pid) : askPs(pid);
}

function readProc(pid: number): Found | undefined {
  try {
    const stat = readFileSync(`${PROC}/${pid}/stat`, "latin1");
    // The command may contain spaces and parentheses.
    const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    const bootId = readFileSync(`${PROC}/sys/kernel/random/boot_id`, "latin1").trim();
    return { hasEnded: ENDED_STATES.has(fields[STATE_FIELD] ?? ""), start: `${bootId}:${fields[START_FIELD]}` };
  } catch {
    return undefined;
  }
}

/** Looks a process up with `ps`, on systems without /proc. Out: undefined for one that does not exist. Refuses: never. */
export function askPs(pid: number): Found | undefined {
  const options = { encoding: "utf8", env: SERVER_ENVIRONMENT } as const;
  const answer = spawnSync("ps", ["-o", "stat=,lstart=", "-p", String(pid)], options);
  const [state = "", ...start] = (answer.stdout ?? "").trim().split(/\s+/);
  return state === "" ? undefined : { hasEnded: state.startsWith("Z"), start: start.join(" ") };
}
