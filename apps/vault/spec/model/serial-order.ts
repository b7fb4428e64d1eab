import { expectAnswer, type Outcome } from "./answers.ts";
import { consult } from "./consult.ts";
import type { Asker, Operation } from "./operation.ts";
import type { OracleState } from "./oracle-state.ts";

/** An operation and what it was answered with. */
export interface Answeredly {
  readonly operation: Operation;
  readonly outcome: Outcome;
}

/** Operations that ran at the same time, on what state, and what was read when all had been answered. */
export interface Race {
  readonly owner: string;
  readonly asker: Asker;
  readonly before: OracleState;
  readonly during: readonly Answeredly[];
  readonly afterwards: readonly Answeredly[];
}

/**
 * Looks for an order in which the operations, one after the other, would have been answered as they were and would have left
 * what was read afterwards.
 *
 * Out: the places of the operations in that order; undefined when there is none, so the race is not serialisable.
 */
export function findSerialOrder(race: Race): readonly number[] | undefined {
  return extend(race, race.before, []);
}

function extend(race: Race, state: OracleState, done: readonly number[]): readonly number[] | undefined {
  if (done.length === race.during.length) {
    const end = race.afterwards.reduce<OracleState | undefined>((at, step) => at && replay(race, at, step), state);
    return end === undefined ? undefined : done;
  }
  for (const [index, step] of race.during.entries()) {
    if (done.includes(index)) continue;
    const next = replay(race, state, step);
    const order = next && extend(race, next, [...done, index]);
    if (order !== undefined) return order;
  }
  return undefined;
}

/** The state after an operation; undefined where the spec answers otherwise than it was answered. */
function replay(
  { owner, asker }: Race,
  state: OracleState,
  { operation, outcome }: Answeredly,
): OracleState | undefined {
  const next = structuredClone(state);
  const expected = consult({ owner, asker, operation, outcome, state: next, tokenSpent: false, unpagedCap: 10_000 });
  try {
    expectAnswer({ owner, policies: false }, operation, expected)(outcome);
    return next;
  } catch {
    return undefined;
  }
}
