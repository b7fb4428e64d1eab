import { type EName, isEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { findOrAddConsumer, listPlatforms, setPlatform } from "../store/consumer-rows.ts";
import type { Identified } from "./identify-consumer.ts";
import { writeOnce } from "./spend-token.ts";

/** A consumer that counts as a platform, under the name that its writes carry. */
export interface ApprovedPlatform {
  readonly ename: EName;
  readonly platform: string | null;
}

/** The operator's approvals of platforms. */
export interface Platforms {
  readonly list: (asker: Identified) => Promise<readonly ApprovedPlatform[]>;
  /** In: `{}` or `{platform}`. */
  readonly approve: (asker: Identified, ename: string, body: unknown) => Promise<ApprovedPlatform>;
  readonly withdraw: (asker: Identified, ename: string) => Promise<void>;
}

const MAX_PLATFORM_CHARACTERS = 512;

/** The body of an approval. Source: decision E9. */
export const platformApproval: z.ZodType<{ readonly platform?: string | undefined }> = z.strictObject({
  platform: z
    .string()
    .min(1)
    .max(MAX_PLATFORM_CHARACTERS)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be text without control characters")
    .optional()
    .describe("The name by which its writes are known; without it, its eName."),
});

/**
 * Makes the operator's operations.
 *
 * Refuses: NOT_AN_ADMIN for everybody whose wallet is not of DS_AWARENESS_ADMINS; BAD_REQUEST, TOKEN_SPENT. Source:
 * decisions E9, I6.
 */
export function createPlatforms(
  { database, clock }: { readonly database: Database; readonly clock: Clock },
  { admins }: { readonly admins: ReadonlySet<EName> },
): Platforms {
  const decide = (asker: Identified, ename: EName, platform: string | null): Promise<void> =>
    writeOnce(database, asker, async (tx) => {
      const { id } = await findOrAddConsumer(tx, ename, new Date(clock.nowMs()).toISOString());
      await setPlatform(tx, id, platform);
    });
  return {
    list: async (asker) => {
      assertAdmin(asker, admins);
      return listPlatforms(database);
    },
    approve: async (asker, text, body) => {
      assertAdmin(asker, admins);
      const ename = readEName(text);
      const { platform = ename } = readInput(platformApproval, body ?? {});
      await decide(asker, ename, platform);
      return { ename, platform };
    },
    withdraw: async (asker, text) => {
      assertAdmin(asker, admins);
      await decide(asker, readEName(text), null);
    },
  };
}

/** Checks whether somebody's wallet is one of the operator's. Refuses: never. Source: decision E9. */
export function isAdmin({ by, consumer }: Identified, admins: ReadonlySet<EName>): boolean {
  return by === "wallet" && consumer.ename !== null && admins.has(consumer.ename);
}

function assertAdmin(asker: Identified, admins: ReadonlySet<EName>): void {
  if (isAdmin(asker, admins)) return;
  throw awarenessRefusal("NOT_AN_ADMIN", "Send a wallet token of an eName in DS_AWARENESS_ADMINS.");
}

function readEName(text: string): EName {
  const ename = text.toLowerCase();
  if (isEName(ename)) return ename;
  throw awarenessRefusal("BAD_REQUEST", "Write the platform's eName as @ and a UUID.", "ename");
}
