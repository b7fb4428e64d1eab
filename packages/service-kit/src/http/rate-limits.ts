import { createHash } from "node:crypto";
import { isIP } from "node:net";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import { Refusal } from "./refusal.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The state of this request's limits, which the answer's headers report. */
    rateStates: RateState[] | undefined;
  }
}

/** A limit: its name in the headers, and the number of requests per key and window. Requests 0: no limit. */
export interface RateLimit {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Counts a request under a key. Refuses: RATE_LIMITED (429). */
export type CountRequest = (request: FastifyRequest, key: string) => Promise<void>;

/** The state of a limit: how many requests are left, and after how many seconds the window ends. */
interface RateState {
  readonly limit: RateLimit;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

const REMEMBERED_KEYS = 50_000;
const LONGEST_KEY = 128;

/**
 * Makes a limit on an app or a part of one. Windows are fixed and begin with a key's first request. Counts are stored
 * in this process, for the 50,000 most recent keys. Every answer to a counted request has the headers
 * `RateLimit-Policy` and `RateLimit`, a refusal also `Retry-After`.
 *
 * Source: decisions V2, V21; draft-ietf-httpapi-ratelimit-headers-11.
 */
export function createRateLimit(app: FastifyInstance, limit: RateLimit): CountRequest {
  if (limit.requests === 0) return async () => undefined;
  tellStates(app);
  const keys = new WeakMap<FastifyRequest, string>();
  let check: ReturnType<FastifyInstance["createRateLimit"]> | undefined;
  return async (request, key) => {
    keys.set(request, boundKey(key));
    check ??= app.createRateLimit({
      max: limit.requests,
      timeWindow: limit.windowSeconds * 1000,
      keyGenerator: (counted) => keys.get(counted) as string,
    });
    const found = await check(request);
    if (found.isAllowed) return;
    const { remaining, ttlInSeconds: resetSeconds, isExceeded: exceeded } = found;
    request.rateStates ??= [];
    request.rateStates.push({ limit, remaining, resetSeconds, exceeded });
    if (exceeded) throw rateLimited(limit, resetSeconds);
  };
}

/**
 * Limits the requests of one source address to an app, or to one part of it, before anything else of a request is
 * examined.
 *
 * Refuses: RATE_LIMITED (429). Source: decision V21.
 */
export function limitAddresses(app: FastifyInstance, limit: RateLimit): void {
  if (limit.requests === 0) return;
  const count = createRateLimit(app, limit);
  app.addHook("onRequest", (request) => count(request, addressKey(request)));
}

/**
 * The source address as limits count it. An IPv6 address counts by its /64, an IPv4 address in IPv6 form as the IPv4
 * address. Behind a trusted proxy it is the client's address, or the proxy's own where the forwarded text is not an
 * address. Refuses: never.
 */
export function addressKey(request: FastifyRequest): string {
  // A proxy may forward any text; only an address is a key among a bounded number.
  return normalizeIP(isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? "") : request.ip);
}

// With the bound on keys this bounds the memory of a limit.
function boundKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : createHash("sha256").update(key).digest("base64url");
}

function rateLimited({ name, requests, windowSeconds }: RateLimit, resetSeconds: number): Refusal {
  const message = `More than ${requests} requests in ${windowSeconds} s (limit "${name}"); come again in ${resetSeconds} s.`;
  return new Refusal("RATE_LIMITED", message, { status: 429 });
}

// Once for an app, even if several of its parts have limits.
function tellStates(app: FastifyInstance): void {
  if (app.hasRequestDecorator("rateStates")) return;
  app.register(rateLimit, { global: false, cache: REMEMBERED_KEYS });
  app.decorateRequest("rateStates", undefined);
  app.addHook("onSend", async (request, reply) => {
    if (request.rateStates !== undefined) writeHeaders(reply, request.rateStates);
  });
}

function writeHeaders(reply: FastifyReply, states: readonly RateState[]): void {
  const policies = states.map(({ limit }) => `"${limit.name}";q=${limit.requests};w=${limit.windowSeconds}`);
  const standings = states.map(
    ({ limit, remaining, resetSeconds }) => `"${limit.name}";r=${remaining};t=${resetSeconds}`,
  );
  reply.header("ratelimit-policy", policies.join(", ")).header("ratelimit", standings.join(", "));
  const exceeded = states.find((state) => state.exceeded);
  if (exceeded === undefined) return;
  reply.header("retry-after", exceeded.resetSeconds);
  reply.header("access-control-expose-headers", "Retry-After, RateLimit, RateLimit-Policy");
}
