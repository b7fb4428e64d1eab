import { createHash } from "node:crypto";
import { isIP } from "node:net";
import rateLimit, { normalizeIP } from "@fastify/rate-limit";
import { Refusal } from "./refusal.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** Where this request stands against each limit that it was counted on; answered in its headers. */
    rateStates: RateState[] | undefined;
  }
}

/** A limit: its name in the headers, and how many requests one key has in a window. Requests 0: no limit. */
export interface RateLimit {
  readonly name: string;
  readonly requests: number;
  readonly windowSeconds: number;
}

/** Counts a request under a key. Refuses: RATE_LIMITED (429). */
export type CountRequest = (request: FastifyRequest, key: string) => Promise<void>;

/** Where a request stands: how many more the key has, and in how many seconds it has all of them again. */
interface RateState {
  readonly limit: RateLimit;
  readonly remaining: number;
  readonly resetSeconds: number;
  readonly exceeded: boolean;
}

const REMEMBERED_KEYS = 50_000;
const LONGEST_KEY = 128;

/**
 * Makes a limit on an app or a part of one. Windows are fixed and begin with a key's first request; what is counted is kept in
 * this process, for the 50,000 keys that asked last. Every answer to a counted request has the headers `RateLimit-Policy` and
 * `RateLimit`, a refusal `Retry-After` too.
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
 * Limits what one source address may send to an app, or to one part of it, before anything else of a request is looked at.
 *
 * Refuses: RATE_LIMITED (429). Source: decision V21.
 */
export function limitAddresses(app: FastifyInstance, limit: RateLimit): void {
  if (limit.requests === 0) return;
  const count = createRateLimit(app, limit);
  app.addHook("onRequest", (request) => count(request, addressKey(request)));
}

/**
 * The source address as it is counted: an IPv6 address by its /64, an IPv4 address in IPv6's form as itself; behind a trusted proxy
 * the client's, and the proxy's own where what it forwards is no address. Refuses: never.
 */
export function addressKey(request: FastifyRequest): string {
  // What a proxy forwards may be any text; only an address is one key among a bounded number.
  return normalizeIP(isIP(request.ip) === 0 ? (request.socket.remoteAddress ?? "") : request.ip);
}

// With the bound on keys this bounds the memory that a limit takes.
function boundKey(key: string): string {
  return key.length <= LONGEST_KEY ? key : createHash("sha256").update(key).digest("base64url");
}

function rateLimited({ name, requests, windowSeconds }: RateLimit, resetSeconds: number): Refusal {
  const message = `More than ${requests} requests in ${windowSeconds} s (limit "${name}"); come again in ${resetSeconds} s.`;
  return new Refusal("RATE_LIMITED", message, { status: 429 });
}

// Once for an app, also where several of its parts have limits.
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
