import { createHmac, randomBytes, timingSafeEqual } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import { createBoundedStore } from "../provider/bounded-store.ts";

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
}

interface StoredSession extends PortalSession {
  readonly endsAtMs: number;
}

const MOST_SESSIONS = 10_000;
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
  return {
    begin: (ename) => {
      const [id, formToken] = [randomText(), randomText()];
      const stored = { ename, formToken, endsAtMs: clock.nowMs() + LONGEST_MS };
      return sessions.set(id, stored, IDLE_MS) ? `${id}.${sign(id)}` : undefined;
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
      if (id !== undefined) sessions.delete(id);
    },
  };
}

function randomText(): string {
  return randomBytes(32).toString("base64url");
}
