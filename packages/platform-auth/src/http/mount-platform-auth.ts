import { addressKey, createRateLimit } from "@dataspace/service-kit/http/rate-limits";
import { Refusal } from "@dataspace/service-kit/http/refusal";
import type { ChallengeStore } from "../challenges/challenge-store.ts";
import type { HandshakeAnswer } from "../evidence.ts";
import { toMembers, toPoint } from "../reading/read-members.ts";
import { statusPlaceOf } from "../reading/status-place.ts";
import { pointThumbprint } from "../sessions/dpop-proof.ts";
import type { SessionInput, SessionStore } from "../sessions/session-store.ts";
import type { VerifyHandshake } from "../verifier/handshake-verifier.ts";
import { readHandshakeRequest } from "./read-handshake-request.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

/** What the endpoints need. `audienceOf` tells whom a request addresses, and refuses as its service does. */
export interface PlatformAuthDeps {
  readonly audienceOf: (request: FastifyRequest) => Promise<string>;
  readonly challenges: Pick<ChallengeStore, "issue">;
  readonly verify: VerifyHandshake;
  /** Called for each claim that was proven, before its session opens. */
  readonly onClaim?: ((proven: Pick<SessionInput, "claim" | "status">) => Promise<void>) | undefined;
  readonly sessions: Pick<SessionStore, "open">;
}

/** How the endpoints behave. */
export interface PlatformAuthConfig {
  /** Whether a trusted authority is set; without one no handshake can hold. */
  readonly isReady: boolean;
  /** Whether only sessions that are bound to a key are given. */
  readonly requireBinding: boolean;
  /** Requests of one source address in a minute; 0: no limit. */
  readonly perAddress: number;
}

const BODY_LIMIT_BYTES = 262_144;
/** The refusals of these endpoints; they stand in the table of each service that serves them. */
const STATUS_BY_CODE = {
  INVALID_REQUEST: 400,
  AUDIENCE_NOT_SERVED: 400,
  CHALLENGE_STORE_FULL: 503,
  HANDSHAKE_UNAVAILABLE: 503,
};

/**
 * Serves POST /pp-auth/challenge and POST /pp-auth/verify.
 *
 * Out: 200 with the challenge; 200 with the verdict on all six links, whatever it is, and with a session when they hold.
 * Refuses: as `audienceOf`; INVALID_REQUEST and AUDIENCE_NOT_SERVED (400), PAYLOAD_TOO_LARGE (413), RATE_LIMITED (429),
 * CHALLENGE_STORE_FULL and HANDSHAKE_UNAVAILABLE (503). Source: S3 "Endpoints"; decision A1.
 */
export function mountPlatformAuth(app: FastifyInstance, deps: PlatformAuthDeps, config: PlatformAuthConfig): void {
  app.register((part, _options, done) => {
    const count = createRateLimit(part, { name: "handshakes", requests: config.perAddress, windowSeconds: 60 });
    const audiences = new WeakMap<FastifyRequest, string>();
    part.addHook("onRequest", async (request, reply) => {
      reply.header("cache-control", "no-store");
      await count(request, addressKey(request));
      audiences.set(request, await deps.audienceOf(request));
      if (!config.isReady) throw refuse("HANDSHAKE_UNAVAILABLE", "This verifier trusts no certifying authority.");
      request.maxBodyBytes = Math.min(request.maxBodyBytes, BODY_LIMIT_BYTES);
    });
    part.setErrorHandler((error) => {
      throw error instanceof Refusal && error.code === "BAD_REQUEST" ? refuse("INVALID_REQUEST", error.message) : error;
    });
    part.post("/pp-auth/challenge", { onRequest: ignoreTypeOfNoBody }, async (request) => {
      const audience = audiences.get(request) as string;
      checkChallengeBody(request.body, audience);
      const challenge = await deps.challenges.issue({ audience, source: addressKey(request) });
      if (challenge !== undefined) return challenge;
      throw refuse("CHALLENGE_STORE_FULL", "Too many challenges are outstanding; answer them or let them expire.");
    });
    part.post("/pp-auth/verify", async (request): Promise<HandshakeAnswer> => {
      const presented = readHandshakeRequest(request.body);
      if ("fault" in presented) throw refuse("INVALID_REQUEST", presented.fault);
      const { binding: asked, ...answer } = presented;
      const audience = audiences.get(request) as string;
      const result = await deps.verify({ audience, ...answer });
      const point = toPoint(answer.evidence["publicKey"]);
      if (result.claim === null || point === undefined) return result;
      const binding = config.requireBinding ? "dpop" : asked;
      const status = statusPlaceOf(answer.evidence["accreditationJws"], result.claim.issuer);
      await deps.onClaim?.({ claim: result.claim, status });
      const input = { audience, claim: result.claim, status, binding, keyThumbprint: pointThumbprint(point) };
      return { ...result, session: await deps.sessions.open(input) };
    });
    done();
  });
}

// Some clients name a type for the body that they do not send.
async function ignoreTypeOfNoBody(request: FastifyRequest): Promise<void> {
  const { "content-length": length, "transfer-encoding": encoding } = request.headers;
  if (encoding === undefined && (length === undefined || length === "0")) delete request.headers["content-type"];
}

function checkChallengeBody(body: unknown, audience: string): void {
  if (body === undefined || body === null) return;
  const members = toMembers(body);
  if (members === undefined) throw refuse("INVALID_REQUEST", "The body must be empty or a JSON object.");
  const asked = members["audience"];
  if (asked === undefined || asked === audience) return;
  throw refuse("AUDIENCE_NOT_SERVED", `This verifier issues challenges for ${audience} here.`);
}

function refuse(code: keyof typeof STATUS_BY_CODE, message: string): Refusal {
  return new Refusal(code, message, { status: STATUS_BY_CODE[code] });
}
