import type { Faults } from "./faults.ts";
import type { History } from "./judge-history.ts";
import type { ArrivedEvent, ReceiverLine } from "./receiver-child.ts";

/** The arrivals of webhooks: all, repeats (requested by a replay or not), and faults. */
export interface JudgedArrivals {
  readonly arrivals: number;
  readonly duplicates: number;
  readonly replays: number;
  /** First arrivals after a later version of their record. */
  readonly inversions: number;
  /** Versions that a subscriber never received. */
  readonly lost: number;
}

/** The progress of a record at one subscriber. */
interface Stream {
  /** By version, from index 1. */
  readonly seen: boolean[];
  newest: number;
  applied: number;
}

/**
 * Checks the receivers' logs against the history. Every version reached every subscriber, the first time in order and
 * with its content. Repeats have the same bytes. The receiver library applied each version once, in order, without
 * gaps.
 *
 * In: lines in the order in which they were written.
 */
export async function judgeArrivals(
  lines: AsyncIterable<ReceiverLine>,
  { history, subscribers }: { readonly history: History; readonly subscribers: readonly string[] },
  faults: Faults,
): Promise<JudgedArrivals> {
  const counts = { arrivals: 0, duplicates: 0, replays: 0, inversions: 0, lost: 0 };
  const bySubscriber = new Map(subscribers.map((name) => [name, new Map<string, Stream>()]));
  const versionById = new Map<string, string>();
  for await (const line of lines) {
    const [kind, subscriber] = line;
    const streams = bySubscriber.get(subscriber);
    if (kind === "refused" || streams === undefined) {
      faults.add(`${subscriber}: ${line[2]}`);
    } else if (kind === "applied") {
      const [, , stream, version] = line;
      const known = findStream(streams, stream);
      if (version !== known.applied + 1)
        faults.add(`${subscriber} ${stream}: ${version} applied after ${known.applied}`);
      known.applied = version;
    } else {
      const [, , event, bodyHash, isReplay] = line;
      const where = `${subscriber} ${event.stream} ${event.version}`;
      counts.arrivals += 1;
      judgeContent({ event, bodyHash, where }, { history, versionById }, faults);
      const known = findStream(streams, event.stream);
      if (known.seen[event.version]) counts[isReplay ? "replays" : "duplicates"] += 1;
      else if (event.version < known.newest) {
        counts.inversions += 1;
        faults.add(`${where} came for the first time after ${known.newest}`);
      }
      known.seen[event.version] = true;
      known.newest = Math.max(known.newest, event.version);
    }
  }
  for (const [subscriber, streams] of bySubscriber) {
    for (const [stream, versions] of history) {
      const { seen, applied } = findStream(streams, stream);
      if (applied !== versions.length)
        faults.add(`${subscriber} ${stream}: applied to ${applied} of ${versions.length}`);
      for (let version = 1; version <= versions.length; version += 1) {
        if (seen[version]) continue;
        counts.lost += 1;
        faults.add(`${subscriber} ${stream} ${version} never came`);
      }
    }
  }
  return counts;
}

function findStream(streams: Map<string, Stream>, name: string): Stream {
  const known = streams.get(name) ?? { seen: [], newest: 0, applied: 0 };
  streams.set(name, known);
  return known;
}

interface Arrival {
  readonly event: ArrivedEvent;
  readonly bodyHash: string;
  readonly where: string;
}

function judgeContent(
  { event: { eventId, stream, version, n }, bodyHash, where }: Arrival,
  { history, versionById }: { readonly history: History; readonly versionById: Map<string, string> },
  faults: Faults,
): void {
  const wanted = history.get(stream)?.[version - 1];
  if (wanted === undefined) faults.add(`${where} came and is not in the history`);
  else if (wanted !== n) faults.add(`${where} came with write ${n}, the version has ${wanted}`);
  const said = `${stream} ${version} ${bodyHash}`;
  const before = versionById.get(eventId) ?? said;
  if (before !== said) faults.add(`event ${eventId} was ${before} and then ${said}`);
  versionById.set(eventId, before);
}
