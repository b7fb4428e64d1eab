import { stepSeeds } from "./draw.ts";
import { type Failed, type Met, runSteps } from "./run-permissions.ts";
import type { PermissionFleet } from "./start-world.ts";

/** So many operations drawn from a seed; or exactly these steps, as a failure printed them. */
export interface PermissionFuzz {
  readonly seed: number;
  readonly operations: number;
  readonly steps: readonly number[] | undefined;
}

const STEPS_PER_WORLD = 120;
const SHRINK_MS = 90_000;

/** Runs the fuzz. Fails with the shortest trace found that still goes wrong, and how to run it again. */
export async function fuzzPermissions(parts: PermissionFleet, fuzz: PermissionFuzz): Promise<Met> {
  const met: Met = { operations: 0, probes: 0, answers: new Map() };
  for (let n = 0; met.operations < fuzz.operations; n += 1) {
    const seeds = fuzz.steps ?? stepSeeds(fuzz.seed + n, STEPS_PER_WORLD);
    const failed = await runSteps(parts, { seeds }, met);
    if (failed !== undefined)
      throw await explain(parts, { seeds, failed, seed: fuzz.seed + n, operation: met.operations });
    if (fuzz.steps !== undefined) break;
  }
  return met;
}

interface Found {
  readonly seeds: readonly number[];
  readonly failed: Failed;
  readonly seed: number;
  readonly operation: number;
}

/** Leaves out steps as long as it still fails, first those that wrote nothing; each try is in a world of its own. */
async function explain(parts: PermissionFleet, { seeds, failed: first, seed, operation }: Found): Promise<Error> {
  const untilMs = Date.now() + SHRINK_MS;
  const attempt = async (tried: readonly number[]) => {
    const met = { operations: 0, probes: 0, answers: new Map() };
    const again = await runSteps(parts, { seeds: tried, only: tried.length - 1 }, met);
    return again === undefined ? undefined : { failed: again, rest: tried.slice(0, again.index + 1) };
  };
  const whole = seeds.slice(0, first.index + 1);
  const writes = [...first.wrote, first.index].map((index) => seeds[index] as number);
  let best = (await attempt(writes)) ?? { failed: first, rest: whole };
  for (let size = Math.ceil(best.rest.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < best.rest.length - 1 && Date.now() < untilMs; ) {
      const shorter = await attempt(best.rest.toSpliced(from, Math.min(size, best.rest.length - 1 - from)));
      if (shorter === undefined) from += size;
      else best = shorter;
    }
  }
  const { failed, rest } = best;
  return new Error(
    `operation ${operation} (DS_PERMISSION_SEED=${seed}): ${first.fault}\n` +
      `as few steps as were found: DS_PERMISSION_STEPS=${rest.join()}\n${failed.trace.join("\n")}\n=> ${failed.fault}`,
  );
}
