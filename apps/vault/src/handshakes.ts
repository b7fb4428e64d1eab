import { randomBytes } from "node:crypto";
import { createChallengeStore } from "@dataspace/platform-auth/challenges/challenge-store";
import { mountPlatformAuth, type PlatformAuthDeps } from "@dataspace/platform-auth/http/mount-platform-auth";
import { createSessionStore } from "@dataspace/platform-auth/sessions/session-store";
import { createVerifySession } from "@dataspace/platform-auth/sessions/verify-session";
import { createNetworkTrust, type NetworkTrustDeps } from "@dataspace/platform-auth/trust/network-trust";
import { createHandshakeVerifier } from "@dataspace/platform-auth/verifier/handshake-verifier";
import { createVerifyEcdsa, createVerifyEs256 } from "@dataspace/service-kit/verify-ecdsa";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Log } from "@dataspace/service-kit/log";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Sweep } from "@dataspace/service-kit/run/sweep-while-serving";
import { invalidToken } from "./caller/bearer-token.ts";
import type { VerifyPlatformSession } from "./caller/platform-session.ts";
import type { FastifyInstance } from "fastify";

/** Platform authentication at a vault. */
export interface Handshakes {
  /** Serves the two endpoints; `audienceOf` gives the owner whom a request addresses. */
  readonly serve: (app: FastifyInstance, audienceOf: PlatformAuthDeps["audienceOf"]) => void;
  readonly verifySession: VerifyPlatformSession;
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

const MOST_CHALLENGES = { mostPerSource: 100, mostPerAudience: 10_000 };

/** Makes platform authentication at a vault: challenges, the six-link verifier, sessions. Source: S3 "Endpoints"; decision A1. */
export function createHandshakes(deps: HandshakeDeps, config: HandshakeConfig): Handshakes {
  const { database, clock, log } = deps;
  const { trustedCertifierIssuers, challengeSeconds: lifetimeSeconds, requireBinding, perAddress } = config;
  const verifyEcdsa = createVerifyEcdsa();
  const stored = { database, clock, randomBytes };
  const challenges = createChallengeStore(stored, {
    table: "handshake_challenge",
    lifetimeSeconds,
    ...MOST_CHALLENGES,
  });
  const sessions = createSessionStore(stored, { table: "platform_session" });
  const trust = createNetworkTrust({ ...deps, verifyEs256: createVerifyEs256() }, trustedCertifierIssuers);
  const verify = createHandshakeVerifier({ clock, log, trust, verifyEcdsa, redeem: challenges.redeem }, config);
  const verifySession = createVerifySession({ clock, sessions, verifyEcdsa, refuse: invalidToken }, { requireBinding });
  return {
    serve: (app, audienceOf) => {
      const isReady = trustedCertifierIssuers.length > 0;
      mountPlatformAuth(app, { audienceOf, challenges, verify, sessions }, { isReady, requireBinding, perAddress });
    },
    verifySession,
    sweeps: [
      { what: "challenges that have expired", sweep: challenges.sweep },
      { what: "platform sessions that have ended", sweep: sessions.sweep },
    ],
  };
}
