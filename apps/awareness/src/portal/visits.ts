import { createHash, randomBytes } from "node:crypto";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";
import { addVisit, endVisit, findVisitor } from "../store/visit-rows.ts";

/**
 * A signed-in visitor, by a wallet or as the development stack's own consumer; each of their forms carries `formToken`.
 */
export interface Visit extends Identified {
  readonly formToken: string;
}

/** The portal's visits, identified by the token in the browser's cookie. */
export interface Visits {
  /** Out: the token. */
  readonly begin: (consumer: Consumer) => Promise<string>;
  readonly find: (token: string) => Promise<Visit | undefined>;
  readonly end: (token: string) => Promise<void>;
}

const TOKEN_BYTES = 32;
const IDLE_MS = 30 * 60_000;
/** The longest visit. */
export const VISIT_SECONDS: number = 8 * 3_600;

/**
 * Makes the visits. A visit ends after 30 minutes without a request, after 8 hours, or by signing out. Refuses: never.
 */
export function createVisits({ database, clock }: { readonly database: Queryable; readonly clock: Clock }): Visits {
  const isoAt = (ms: number): string => new Date(ms).toISOString();
  return {
    begin: async (consumer) => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const nowMs = clock.nowMs();
      await addVisit(database, {
        tokenHash: hash(token),
        consumerId: consumer.id,
        idleAt: isoAt(nowMs + IDLE_MS),
        expiresAt: isoAt(nowMs + VISIT_SECONDS * 1000),
      });
      return token;
    },
    find: async (token) => {
      const nowMs = clock.nowMs();
      const times = { at: isoAt(nowMs), idleAt: isoAt(nowMs + IDLE_MS) };
      const consumer = await findVisitor(database, { tokenHash: hash(token), ...times });
      if (consumer === undefined) return undefined;
      const by = consumer.id === DEV_CONSUMER.id ? "dev" : "wallet";
      return { consumer, by, tokenUse: undefined, formToken: hash(`ds:portal-form:v1:${token}`).toString("base64url") };
    },
    end: (token) => endVisit(database, hash(token)),
  };
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
