import { createHmac, timingSafeEqual } from "node:crypto";
import { randomText } from "@dataspace/wallet-login/pending-login";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { createBoundedStore } from "../bounded-store.ts";

/** A signed-in developer. `formToken` is in each form of the session. */
export interface PortalSession {
  readonly ename: EName;
  readonly formToken: string;
}

/** The portal's sessions, in memory. */
export interface PortalSessions {
  /** Out: the value of the session's cookie, or undefined at the limit of sessions. */
  readonly begin: (ename: EName) => string | undefined;
  readonly find: (cookie: string | undefined) => PortalSession | undefined;
  readonly end: (cookie: string | undefined) => void;
  readonly sweep: () => void;
}

interface StoredSession extends PortalSession {
  readonly endsAtMs: number;
}

const MOST_SESSIONS = 10_000;
/** At the eleventh, the developer's own oldest session ends, so that nobody uses up the places of others. */
const MOST_PER_ENAME = 10;
const IDLE_MS = 1_800_000;
const LONGEST_MS = 28_800_000;

/**
 * Makes the sessions. A cookie is a random id with its HMAC-SHA-256 by the portal's secret. A session ends after 30
 * idle minutes, after 8 hours, and when the developer signs out.
 *
 * Refuses: never. Source: S2 "Authentication" (portal sessions are signed); decision L11.
 */
export function createPortalSessions({ clock }: { readonly clock: Clock }, secret: string): PortalSessions {
  const sessions = createBoundedStore<StoredSession>({ clock }, { most: MOST_SESSIONS });
  const sign = (id: string): string => createHmac("sha256", secret).update(`portal:${id}`).digest("base64url");
  const idOf = (cookie: string | undefined): string | undefined => {
    const [id = "", signature = ""] = (cookie ?? "").split(".");
    const [given, expected] = [Buffer.from(signature), Buffer.from(sign(id))];
    return given.length === expected.length && timingSafeEqual(given, expected) ? id : undefined;
  };
  const idsByEname = new Map<EName, Set<string>>();
  const forget = (ename: EName, id: string): void => {
    sessions.delete(id);
    const ids = idsByEname.get(ename);
    ids?.delete(id);
    if (ids?.size === 0) idsByEname.delete(ename);
  };
  /** Forgets the ids whose sessions have ended by themselves. */
  const tidy = (ename: EName): void => {
    for (const id of idsByEname.get(ename) ?? []) if (sessions.get(id) === undefined) forget(ename, id);
  };
  return {
    begin: (ename) => {
      tidy(ename);
      const [oldest] = idsByEname.get(ename) ?? [];
      if (oldest !== undefined && (idsByEname.get(ename)?.size ?? 0) >= MOST_PER_ENAME) forget(ename, oldest);
      const [id, formToken] = [randomText(), randomText()];
      const stored = { ename, formToken, endsAtMs: clock.nowMs() + LONGEST_MS };
      if (!sessions.set(id, stored, IDLE_MS)) return undefined;
      idsByEname.set(ename, (idsByEname.get(ename) ?? new Set()).add(id));
      return `${id}.${sign(id)}`;
    },
    find: (cookie) => {
      const id = idOf(cookie);
      const stored = id === undefined ? undefined : sessions.get(id);
      if (id === undefined || stored === undefined) return undefined;
      sessions.set(id, stored, Math.min(IDLE_MS, stored.endsAtMs - clock.nowMs()));
      return stored;
    },
    end: (cookie) => {
      const id = idOf(cookie);
      const stored = id === undefined ? undefined : sessions.get(id);
      if (id !== undefined && stored !== undefined) forget(stored.ename, id);
    },
    sweep: () => {
      sessions.sweep();
      for (const ename of idsByEname.keys()) tidy(ename);
    },
  };
}
