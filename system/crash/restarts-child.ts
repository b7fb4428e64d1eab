// The first process of a process tree. It reads only the exit status of the stack's main process, so every other killed
// process stays a zombie. `runRestarts` starts it.
import { setTimeout as wait } from "node:timers/promises";
import { createSeededRandom } from "@dataspace/service-kit/testing/test-random";
import { countZombies, killEverything } from "./process-tree.ts";
import type { RestartReport, RestartRun } from "./restarts.ts";
import { createStack, type StackRun } from "./restarts-stack.ts";
import { createStackWriter } from "./restarts-writer.ts";

const DURING_START = 0.4;
const LONGEST_START_MS = 3_000;
const LONGEST_LIFE_MS = 1_500;
const TOLD_EVERY = 10;

const { kills, seed, directory } = JSON.parse(process.argv[2] ?? "") as RestartRun;
if (process.pid !== 1)
  throw new Error("this ends every process that it sees: it runs only as the first of a process tree");

const random = createSeededRandom(seed);
const faults: string[] = [];
const stack = await createStack(directory);
const writer = await createStackWriter(stack, faults);
let [duringStart, starts] = [0, 0];

for (let kill = 1; kill <= kills; kill += 1) {
  // The first start creates the database and the people, and is not interrupted.
  const run = stack.start();
  const isDuringStart = kill > 1 && random() < DURING_START;
  if (isDuringStart) await Promise.race([wait(random() * LONGEST_START_MS), run.ended]);
  else await liveThrough(run);
  if (run.hasEnded()) faults.push(`start ${kill} ended by itself: ${run.stderr().slice(-600)}`);
  duringStart += Number(isDuringStart);
  await killEverything(random);
  await run.ended;
  if (kill % TOLD_EVERY === 0)
    console.error(`${kill} kills, ${writer.acknowledged()} acknowledged, ${faults.length} faults`);
}

const last = stack.start();
await liveThrough(last);
// On a machine that is busy no run may have lived long enough for a write and its webhook.
for (let tries = 0; writer.arrivals() === 0 && tries < 30 && !last.hasEnded(); tries += 1) await writer.writeFor(1_000);
await writer.judge();
const report: RestartReport = {
  kills,
  duringStart,
  starts,
  acknowledged: writer.acknowledged(),
  arrivals: writer.arrivals(),
  zombies: countZombies(),
  faults,
};
await killEverything(random);
process.stdout.write(JSON.stringify(report), () => process.exit(0));

async function liveThrough(run: StackRun): Promise<void> {
  if (!(await run.ready)) return;
  starts += 1;
  await writer.check();
  await writer.writeFor(random() * LONGEST_LIFE_MS);
}
