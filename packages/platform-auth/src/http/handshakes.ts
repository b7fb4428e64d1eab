import { randomBytes } from "node:crypto";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/clients/verify-ecdsa";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Sweep } from "@dataspace/service-kit/run/sweep-while-serving";
import { createChallengeStore } from "../challenges/challenge-store.ts";
import { createSessionStore } from "../sessions/session-store.ts";
import { createVerifySession, type VerifySession } from "../sessions/verify-session.ts";
import { createNetworkTrust, type NetworkTrustDeps } from "../trust/network-trust.ts";
import { createStatusOf, type StatusOf } from "../trust/status-of.ts";
import { createHandshakeVerifier } from "../verifier/handshake-verifier.ts";
import { mountPlatformAuth, type PlatformAuthDeps } from "./mount-platform-auth.ts";
import type { FastifyInstance } from "fastify";

/** Platform authentication at a service. */
export interface Handshakes {
  /** Serves the two endpoints; `onClaim` is called for each claim that was proven, before its session opens. */
  readonly serve: (app: FastifyInstance, parts: Pick<PlatformAuthDeps, "audienceOf" | "onClaim">) => void;
  readonly verifySession: VerifySession;
  /** Finds whether a certificate still holds. */
  readonly statusOf: StatusOf;
  readonly sweeps: readonly Sweep[];
}

/** What platform authentication needs: its tables, the registry's keys and everybody's, and a way to trusted authorities. */
export interface HandshakeDeps extends Omit<NetworkTrustDeps, "verifyEs256"> {
  readonly database: Database;
  readonly clock: Clock;
  readonly log: Log;
}

/** Whose certificates count, how long a challenge lives, and what is given for a claim. */
export interface HandshakeConfig {
  /** The origins of the trusted certifying authorities; empty: no handshake is served. */
  readonly trustedCertifierIssuers: readonly string[];
  readonly challengeSeconds: number;
  readonly requireBinding: boolean;
  /** Handshake requests of one source address in a minute; 0: no limit. */
  readonly perAddress: number;
}

/** What differs between services: their tables, and how they refuse a credential. */
export interface HandshakeService {
  readonly challengeTable: string;
  readonly sessionTable: string;
  readonly refuse: (message: string) => Error;
}

const MOST_CHALLENGES = { mostPerSource: 100, mostPerAudience: 10_000 };

/**
 * Makes platform authentication at a service: challenges, the six-link verifier, sessions.
 *
 * Refuses: never. Source: S3 "Endpoints"; decisions A1, E9.
 */
export function createHandshakes(
  deps: HandshakeDeps,
  { challengeTable, sessionTable, refuse }: HandshakeService,
  config: HandshakeConfig,
): Handshakes {
  const { database, clock, log } = deps;
  const { trustedCertifierIssuers, challengeSeconds: lifetimeSeconds, requireBinding, perAddress } = config;
  const verifyEcdsa = createVerifyEcdsa();
  const stored = { database, clock, randomBytes };
  const challenges = createChallengeStore(stored, { table: challengeTable, lifetimeSeconds, ...MOST_CHALLENGES });
  const sessions = createSessionStore(stored, { table: sessionTable });
  const trust = createNetworkTrust({ ...deps, verifyEs256: createVerifyEs256() }, trustedCertifierIssuers);
  const statusOf = createStatusOf({ clock, trust, log });
  const verifying = { clock, log, trust, statusOf, verifyEcdsa, redeem: challenges.redeem };
  const verify = createHandshakeVerifier(verifying, config);
  return {
    serve: (app, parts) => {
      const isReady = trustedCertifierIssuers.length > 0;
      mountPlatformAuth(app, { ...parts, challenges, verify, sessions }, { isReady, requireBinding, perAddress });
    },
    verifySession: createVerifySession({ clock, sessions, statusOf, verifyEcdsa, refuse }, { requireBinding }),
    statusOf,
    sweeps: [
      { what: "challenges that have expired", sweep: challenges.sweep },
      { what: "platform sessions that have ended", sweep: sessions.sweep },
    ],
  };
}
