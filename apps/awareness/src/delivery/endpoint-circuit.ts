import type { Circuit } from "../store/circuit-rows.ts";
import { longestGapMs } from "./back-off.ts";

/** A failed attempt: any text that identifies its lane, its time, and whether it was the probe of an open circuit. */
export interface EndpointFailure {
  readonly lane: string;
  readonly nowMs: number;
  readonly isProbe: boolean;
}

/** A circuit that has seen no failure. */
export const CLOSED_CIRCUIT: Circuit = {
  failures: 0,
  failedLanes: [],
  openedAtMs: null,
  probeAtMs: null,
  failedProbes: 0,
  inFlightLimit: null,
};

/** The in-flight limit in one worker for an endpoint without history. */
export const FIRST_IN_FLIGHT = 8;

const OPENS_AFTER_FAILURES = 10;
const OPENS_OVER_LANES = 3;
const LONGEST_PROBE_GAP_MS = 300_000;
const HOPELESS_AFTER_MS = 86_400_000;
const HOPELESS_AFTER_PROBES = 50;

/**
 * Computes the circuit after an answer that shows the endpoint is up. All counts are reset. An open circuit becomes
 * half open; each further answer allows one more in flight, so 1, 2, 4 and so on, until the circuit is closed.
 *
 * Refuses: never. Source: decision E2.
 */
export function circuitAfterAnswer({ openedAtMs, inFlightLimit }: Circuit): Circuit {
  if (openedAtMs !== null) return { ...CLOSED_CIRCUIT, inFlightLimit: 1 };
  const more = (inFlightLimit ?? FIRST_IN_FLIGHT) + 1;
  return { ...CLOSED_CIRCUIT, inFlightLimit: more >= FIRST_IN_FLIGHT ? null : more };
}

/**
 * Computes the circuit after no answer, a 5xx or a 429. It opens after ten in a row over at least three lanes, or after
 * one while it is half open. A failed probe is counted, and the next one waits as long as the back-off, at most five
 * minutes. Attempts that were in flight when it opened change nothing when they fail too.
 *
 * Refuses: never. Source: decision E2.
 */
export function circuitAfterFailure(circuit: Circuit, { lane, nowMs, isProbe }: EndpointFailure): Circuit {
  if (circuit.openedAtMs !== null) {
    if (!isProbe) return circuit;
    const failedProbes = circuit.failedProbes + 1;
    return { ...circuit, failedProbes, probeAtMs: nowMs + probeGapMs(failedProbes + 1) };
  }
  const failures = circuit.failures + 1;
  const failedLanes = [...new Set([...circuit.failedLanes, lane])].slice(0, OPENS_OVER_LANES);
  const opens = failures >= OPENS_AFTER_FAILURES && failedLanes.length >= OPENS_OVER_LANES;
  if (!opens && circuit.inFlightLimit === null) return { ...circuit, failures, failedLanes };
  return { ...CLOSED_CIRCUIT, failures, failedLanes, openedAtMs: nowMs, probeAtMs: nowMs + probeGapMs(1) };
}

/**
 * Whether deliveries past their deadline are given up unsent: the circuit has been open for 24 h with 50 failed probes.
 * Refuses: never. Source: decision E2.
 */
export function isHopeless({ openedAtMs, failedProbes }: Circuit, nowMs: number): boolean {
  return openedAtMs !== null && nowMs - openedAtMs >= HOPELESS_AFTER_MS && failedProbes >= HOPELESS_AFTER_PROBES;
}

function probeGapMs(number: number): number {
  return Math.min(longestGapMs(number), LONGEST_PROBE_GAP_MS);
}
