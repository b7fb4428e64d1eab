import { createHash, randomBytes } from "node:crypto";

/** The hash under which a visit is stored, and the times that end it (ISO 8601), whichever comes first. */
export interface VisitTimes {
  readonly tokenHash: Buffer;
  readonly idleAt: string;
  readonly expiresAt: string;
}

/** Makes and reads the tokens of visits; a browser holds the token, the service stores its SHA-256 alone. */
export interface VisitTokens {
  readonly create: () => VisitTimes & { readonly token: string };
  /** Out: the hash, the times of a request now, and the text that each form of the visit carries. */
  readonly read: (token: string) => Omit<VisitTimes, "expiresAt"> & { readonly at: string; readonly formToken: string };
}

const TOKEN_BYTES = 32;
const IDLE_MS = 30 * 60_000;
/** The longest visit. */
export const VISIT_SECONDS: number = 8 * 3_600;

/**
 * Makes the tokens of one service's visits. A visit ends after 30 minutes without a request, after 8 hours, or by signing out.
 *
 * In: `formPurpose` keeps the form texts of two services apart. Refuses: never. Source: decision L12.
 */
export function createVisitTokens(
  { clock }: { readonly clock: { readonly nowMs: () => number } },
  { formPurpose }: { readonly formPurpose: string },
): VisitTokens {
  const isoIn = (ms: number): string => new Date(clock.nowMs() + ms).toISOString();
  return {
    create: () => {
      const token = randomBytes(TOKEN_BYTES).toString("base64url");
      return { token, tokenHash: hash(token), idleAt: isoIn(IDLE_MS), expiresAt: isoIn(VISIT_SECONDS * 1000) };
    },
    read: (token) => ({
      tokenHash: hash(token),
      at: isoIn(0),
      idleAt: isoIn(IDLE_MS),
      formToken: hash(`${formPurpose}:${token}`).toString("base64url"),
    }),
  };
}

function hash(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
