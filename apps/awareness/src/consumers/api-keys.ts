import { z } from "zod";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { readInput } from "../read-input.ts";
import { type ApiKey, addApiKey, listApiKeys, revokeApiKey } from "../store/api-key-rows.ts";
import { isApiKeyId, makeApiKey } from "./api-key-text.ts";
import type { Identified } from "./identify-consumer.ts";
import { writeOnce } from "./spend-token.ts";

/** The operations on API keys; an API key itself is refused by all of them. */
export interface ApiKeys {
  /** Out: the key, which is never shown again. */
  readonly add: (asker: Identified, body: unknown) => Promise<ApiKey & { readonly key: string }>;
  readonly list: (asker: Identified) => Promise<readonly ApiKey[]>;
  readonly revoke: (asker: Identified, id: string) => Promise<void>;
}

const MAX_KEYS = 20;

/** The body of a new API key. Source: decision E9. */
export const newApiKey: z.ZodType<{ readonly label: string }> = z.strictObject({
  label: z
    .string()
    .min(1)
    .max(100)
    .regex(/^[^\p{Cc}\p{Cs}]*$/u, "must be text without control characters")
    .describe("What the key is for, in your own words."),
});

/**
 * Makes the operations on API keys.
 *
 * Refuses: WALLET_REQUIRED for an API key or a session, which must not make keys that outlive them; BAD_REQUEST, TOO_MANY, NOT_FOUND, TOKEN_SPENT.
 * Source: decisions E9, I6.
 */
export function createApiKeys({ database, clock }: { readonly database: Database; readonly clock: Clock }): ApiKeys {
  const nowAt = (): string => new Date(clock.nowMs()).toISOString();
  return {
    add: async (asker, body) => {
      assertByWallet(asker);
      const { label } = readInput(newApiKey, body);
      const { key, id, keyHash } = makeApiKey();
      const at = nowAt();
      const row = { consumerId: asker.consumer.id, keyHash, id, label, at };
      await writeOnce(database, asker, async (tx) => {
        if (await addApiKey(tx, row, MAX_KEYS)) return;
        throw awarenessRefusal("TOO_MANY", `A consumer has at most ${MAX_KEYS} API keys; revoke one.`);
      });
      return { id, label, createdAt: at, key };
    },
    list: async (asker) => {
      assertByWallet(asker);
      return listApiKeys(database, asker.consumer.id);
    },
    revoke: async (asker, id) => {
      assertByWallet(asker);
      const key = { consumerId: asker.consumer.id, id, at: nowAt() };
      await writeOnce(database, asker, async (tx) => {
        if (isApiKeyId(id) && (await revokeApiKey(tx, key))) return;
        throw awarenessRefusal("NOT_FOUND", "You have no API key with this id.");
      });
    },
  };
}

function assertByWallet({ by }: Identified): void {
  if (by !== "api-key" && by !== "session") return;
  throw awarenessRefusal("WALLET_REQUIRED", "Send a wallet token: API keys are made and revoked by the wallet alone.");
}
