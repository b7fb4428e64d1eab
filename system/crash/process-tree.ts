import { readdirSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";
import { type Random, shuffle } from "./random.ts";

const POLL_MS = 10;

/**
 * Kills every visible process except this one, in random order, until none runs. Only for the first process of a tree.
 */
export async function killEverything(random: Random): Promise<void> {
  for (let pids = listRunning(); pids.length > 0; pids = listRunning()) {
    for (const pid of shuffle(pids, random)) kill(pid);
    await wait(POLL_MS);
  }
}

/** Counts the zombie processes. Refuses: never. */
export function countZombies(): number {
  return listProcesses().filter(({ state }) => state === "Z").length;
}

function listRunning(): readonly number[] {
  return listProcesses().flatMap(({ pid, state }) => (state === "Z" || pid === process.pid ? [] : [pid]));
}

function listProcesses(): readonly { readonly pid: number; readonly state: string }[] {
  return readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = readFileSync(`/proc/${name}/stat`, "latin1");
      return [{ pid: Number(name), state: stat.charAt(stat.lastIndexOf(")") + 2) }];
    } catch {
      return [];
    }
  });
}

function kill(pid: number): void {
  try {
    process.kill(pid, "SIGKILL");
  } catch {
    // It has ended meanwhile.
  }
}
