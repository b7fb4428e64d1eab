import { setTimeout as wait } from "node:timers/promises";
import type { ConstellationProcess } from "./constellation-process.ts";
import type { Footprint } from "./probe.ts";

/** What an idle process uses: its memory and resources, and the gauges of its services. */
export interface State extends Footprint {
  /** By service and name, labels included. */
  readonly gauges: Readonly<Record<string, number>>;
}

const MIB = 1_048_576;
const SETTLE_MS = 15_000;
/** Memory is back after a collection or two, or stays. */
const SETTLE_MEMORY_MS = 2_000;
const POLL_MS = 500;
/** What a process may retain beyond its start: a tenth, or this many bytes where a tenth is less. */
const SLACK_BYTES = { heapBytes: 16 * MIB, bufferBytes: 8 * MIB, rssBytes: 64 * MIB } as const;
const SLACK_SHARE = 0.1;
/** Database pools open their connections as they are needed, and keep them: pipes to an embedded PostgreSQL, sockets to another. */
const SLACK_BY_RESOURCE: Readonly<Record<string, number>> = { TCPSocketWrap: 60, Timeout: 12, PipeWrap: 60 };
const SLACK_OF_RESOURCE = 4;
const SLACK_LISTENERS = 2;
/** Properties of the process or of time, judged by the probe or not at all; logins end by their own time. */
const OTHER_GAUGES = /^(?:event_loop_|process_|nodejs_)|_seconds$|^login_(?:pending|requests)$/;

/** Reads what the process holds. */
export async function readState(space: ConstellationProcess): Promise<State> {
  const gauges = await Promise.all(
    space.services.map(async ({ name, adminUrl }) => {
      const text = await (await fetch(`${adminUrl}/metrics`, { headers: { connection: "close" } })).text();
      return readGauges(text).map(([gauge, value]) => [`${name} ${gauge}`, value] as const);
    }),
  );
  return { ...(await space.readFootprint()), gauges: Object.fromEntries(gauges.flat()) };
}

/**
 * Waits until the process is back at a state, at most 15 s, for its memory 2 s. Out: what it holds then, and each thing
 * of which it holds more.
 *
 * Memory is judged separately: caches fill up to their limits, so that only continued growth is a leak.
 */
export async function settle(
  space: ConstellationProcess,
  before: State,
): Promise<{ readonly state: State; readonly retained: readonly string[]; readonly grown: readonly string[] }> {
  const startedMs = performance.now();
  for (;;) {
    const state = await readState(space);
    const retained = findRetained(before, state);
    const grown = findGrown(before, state);
    const waitedMs = performance.now() - startedMs;
    const isSettled = retained.length === 0 && (grown.length === 0 || waitedMs > SETTLE_MEMORY_MS);
    if (isSettled || waitedMs > SETTLE_MS) return { state, retained, grown };
    await wait(POLL_MS);
  }
}

function findRetained(before: State, now: State): readonly string[] {
  const compare = (what: string, [was, is]: readonly [number, number], slack: number): readonly string[] =>
    is > was + slack ? [`${what}: ${was} before, ${is} after`] : [];
  return [
    ...compare("connections", [before.connections, now.connections], 0),
    ...compare("listeners", [before.listeners, now.listeners], SLACK_LISTENERS),
    ...Object.entries(now.resources).flatMap(([type, count]) =>
      compare(`active ${type}`, [before.resources[type] ?? 0, count], SLACK_BY_RESOURCE[type] ?? SLACK_OF_RESOURCE),
    ),
    ...Object.entries(now.gauges).flatMap(([name, value]) =>
      compare(`gauge ${name}`, [before.gauges[name] ?? 0, value], 0),
    ),
  ];
}

function findGrown(before: State, now: State): readonly string[] {
  return (Object.keys(SLACK_BYTES) as (keyof typeof SLACK_BYTES)[]).flatMap((name) => {
    const most = before[name] + Math.max(SLACK_BYTES[name], before[name] * SLACK_SHARE);
    return now[name] > most ? [`${name}: ${toMib(before[name])} MiB before, ${toMib(now[name])} MiB after`] : [];
  });
}

function toMib(bytes: number): string {
  return (bytes / MIB).toFixed(1);
}

function readGauges(text: string): readonly (readonly [string, number])[] {
  const names = [...text.matchAll(/^# TYPE (\w+) gauge$/gm)].map(([, name = ""]) => name);
  const wanted = names.filter((name) => !OTHER_GAUGES.test(name));
  return text.split("\n").flatMap((line) => {
    const [series = "", value] = line.split(" ");
    return wanted.includes(series.split("{")[0] as string) ? [[series, Number(value)] as const] : [];
  });
}
