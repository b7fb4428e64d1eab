/** Sessions that were signed and collected, so that a repeated answer is recognised. */
export interface UsedSessions {
  readonly add: (session: string, untilMs: number) => void;
  readonly has: (session: string, nowMs: number) => boolean;
}

const MOST = 20_000;

/** Makes the set. A full set forgets its oldest session, which is then unknown and refused all the same. Refuses: never. */
export function createUsedSessions(): UsedSessions {
  const endBySession = new Map<string, number>();
  return {
    add: (session, untilMs) => {
      const [oldest] = endBySession.keys();
      if (endBySession.size >= MOST && oldest !== undefined) endBySession.delete(oldest);
      endBySession.set(session, untilMs);
    },
    has: (session, nowMs) => (endBySession.get(session) ?? 0) > nowMs,
  };
}
