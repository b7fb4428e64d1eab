import { createHash, randomBytes } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { addVisit, endVisit, findVisitor } from "../store/visit-rows.ts";

/** A signed-in reviewer. `tokenHash` identifies the visit; each of its forms carries `formToken`. */
export interface Visitor {
  readonly ename: EName;
  readonly tokenHash: Buffer;
  readonly formToken: string;
}

/** The visits of reviewers, identified by the token in the browser's cookie. */
export interface Visits {
  /** Out: the token. */
  readonly begin: (ename: EName) => Promise<string>;
  readonly find: (token: string) => Promise<Visitor | undefined>;
  readonly end: (token: string) => Promise<void>;
}

const TOKEN_BYTES = 32;
const IDLE_MS = 30 * 60_000;
/** The longest visit. */
export const VISIT_SECONDS: number = 8 * 3_600;

/** Makes the visits. A visit ends after 30 minutes without a request, after 8 hours, or by signing out. Refuses: never. */
export function createVisits({ database, clock }: { readonly database: Database; readonly clock: Clock }): Visits {
  const isoIn = (ms: number): string => new Date(clock.nowMs() + ms).toISOString();
  return {
    begin: async (ename) => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      const ends = { idleAt: isoIn(IDLE_MS), expiresAt: isoIn(VISIT_SECONDS * 1000) };
      await addVisit(database, { tokenHash: hash(token), ename, ...ends });
      return token;
    },
    find: async (token) => {
      const tokenHash = hash(token);
      const ename = await findVisitor(database, { tokenHash, at: isoIn(0), idleAt: isoIn(IDLE_MS) });
      const formToken = hash(`ds:review-form:v1:${token}`).toString("base64url");
      return ename && { ename, tokenHash, formToken };
    },
    end: (token) => endVisit(database, hash(token)),
  };
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
