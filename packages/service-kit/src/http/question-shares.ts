import { AsyncLocalStorage } from "node:async_hooks";
import { LRUCache } from "lru-cache";
import { addressKey } from "./rate-limits.ts";
import type { FastifyInstance } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The caller that the questions of this request count for. */
    questionAsker: QuestionAsker | undefined;
  }
}

interface QuestionAsker {
  key: string;
}

/** Counts the requests to another service ("questions") that incoming requests cause. */
export interface QuestionShares {
  /** Counts the questions of each request of an app for its source address. */
  readonly countRequests: (app: FastifyInstance) => void;
  /** Counts further questions of the current request for its proven caller. */
  readonly countFor: (caller: string) => void;
  /** Counts one question. Out: false when the caller has used its share; true outside of any request. */
  readonly take: () => boolean;
}

const WINDOW_MS = 60_000;
const REMEMBERED_ASKERS = 50_000;

/**
 * Makes the shares of callers in a budget of questions, such as the registry's limit for a vault. One caller may cause
 * `perMinute` questions, so that it cannot use up the budget of the others; 0: no limit.
 *
 * Windows are fixed and begin with the first question. The counts of the 50,000 most recent callers are stored.
 * Source: decision V25.
 */
export function createQuestionShares(
  { clock }: { readonly clock: { readonly nowMs: () => number } },
  { perMinute }: { readonly perMinute: number },
): QuestionShares {
  const running = new AsyncLocalStorage<QuestionAsker>();
  const windows = new LRUCache<string, { asked: number }>({
    max: REMEMBERED_ASKERS,
    ttl: WINDOW_MS,
    ttlResolution: 0,
    perf: { now: clock.nowMs },
  });
  return {
    countRequests: (app) => {
      app.decorateRequest("questionAsker", undefined);
      app.addHook("onRequest", (request, _reply, done) => {
        request.questionAsker = { key: `address ${addressKey(request)}` };
        running.run(request.questionAsker, done);
      });
      // Reading the body leaves the request's async context.
      app.addHook("preValidation", (request, _reply, done) => {
        running.run(request.questionAsker as QuestionAsker, done);
      });
    },
    countFor: (caller) => {
      const asker = running.getStore();
      if (asker !== undefined) asker.key = `caller ${caller}`;
    },
    take: () => {
      const asker = running.getStore();
      if (perMinute === 0 || asker === undefined) return true;
      const window = windows.get(asker.key) ?? { asked: 0 };
      if (window.asked === 0) windows.set(asker.key, window);
      window.asked += 1;
      return window.asked <= perMinute;
    },
  };
}
