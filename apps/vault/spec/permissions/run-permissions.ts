import type { Outcome } from "../model/answers.ts";
import { isWriting, type Request } from "./act.ts";
import { checkWrite } from "./consult.ts";
import { drawRequest } from "./draw.ts";
import { checkRead } from "./oracle-reads.ts";
import { type ExpectedRights, expectRights, findWrong, probeRights, WATCHED } from "./probe.ts";
import { send } from "./send.ts";
import { createWorld, type PermissionFleet } from "./start-world.ts";
import { describe, nameParties } from "./trace.ts";
import { concernsOthers, findWidened } from "./widening.ts";
import type { Name, World } from "./world.ts";

/** What a run met: operations, probes, and each answer by its kind. */
export interface Met {
  operations: number;
  probes: number;
  readonly answers: Map<string, number>;
}

/** A failure: at which step, what is wrong, what was done until then, and which steps before it wrote anything. */
export interface Failed {
  readonly index: number;
  readonly wrote: readonly number[];
  readonly fault: string;
  readonly trace: readonly string[];
}

/** Of the writes that concern no group and no reading, one in so many is probed around. */
const PROBED_ONE_IN = 8;

/** Steps, each drawn from its seed; `only` is the one step that is probed around, then for everybody who is watched. */
export interface Steps {
  readonly seeds: readonly number[];
  readonly only?: number;
}

/** Runs steps in a world of their own. Out: the first failure, if any. */
export async function runSteps(parts: PermissionFleet, { seeds, only }: Steps, met: Met): Promise<Failed | undefined> {
  const world = await createWorld(parts);
  const trace: string[] = [];
  const wrote: number[] = [];
  for (const [index, seed] of seeds.entries()) {
    const request = await drawRequest(world, seed);
    trace.push(`${index} ${describe(world, request)}`);
    const watched = only === undefined ? watchedAt(world, request, seed) : only === index ? WATCHED : [];
    const before = stateOf(world);
    const step = { world, request, watched, met };
    const fault = await runStep(parts, step).catch((error: Error) => error.stack as string);
    if (fault !== undefined) return { index, wrote, fault: nameParties(world, fault), trace };
    if (stateOf(world) !== before) wrote.push(index);
    met.operations += 1;
  }
  return undefined;
}

interface Step {
  readonly world: World;
  readonly request: Request;
  readonly watched: readonly Name[];
  readonly met: Met;
}

async function runStep(parts: PermissionFleet, { world, request, watched, met }: Step): Promise<string | undefined> {
  if (!isWriting(request.act)) {
    const outcome = await send(parts.fleet, world, request);
    tally(met, request, outcome);
    return checkRead(world, request, outcome);
  }
  const people = watched.map((name) => world.byName[name]);
  const before = people.map((person) => expectRights(world, person));
  const outcome = await send(parts.fleet, world, request);
  tally(met, request, outcome);
  const found: string[] = [];
  const fault = await checkWrite(world, request, { outcome, peek: parts.peek });
  if (fault !== undefined) found.push(fault);
  for (const [n, person] of people.entries()) {
    met.probes += 1;
    const rights = await probeRights(parts, world, person);
    const after = expectRights(world, person);
    const widened = findWidened(request, { person, before: before[n] as ExpectedRights, after, rights });
    found.push(...widened.map((right) => `WIDENED: ${right}`));
    if (widened.length === 0) found.push(...findWrong(after, rights, person));
  }
  return found.length === 0 ? undefined : found.join("; ");
}

/** Whoever writes, by its wallet, or somebody else whom it may be in league with; nobody around most writes of other kinds. */
function watchedAt(world: World, request: Request, seed: number): readonly Name[] {
  if (!concernsOthers(request) && seed % PROBED_ONE_IN !== 0) return [];
  const writer = world.parties.get(request.caller.ename ?? "");
  return [writer !== undefined && seed % 3 > 0 ? writer.name : (WATCHED[seed % WATCHED.length] as Name)];
}

/** What every write changes. */
function stateOf({ writes, parties }: World): string {
  return `${writes} ${[...parties.values()].map(({ keys }) => keys.length)}`;
}

function tally({ answers }: Met, { act }: Request, { data, code }: Outcome): void {
  const given = code ?? data?.errors?.[0]?.code ?? data?.results?.[0]?.error?.split(":")[0];
  const key = given === undefined ? act.do : `${act.do} ${given}`;
  answers.set(key, (answers.get(key) ?? 0) + 1);
}
