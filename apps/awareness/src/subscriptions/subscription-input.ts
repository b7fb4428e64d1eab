import { z } from "zod";
import type { EName } from "@dataspace/protocol/ename";
import { eNameInput, readInput } from "../read-input.ts";
import type { SubscriptionChange } from "../store/subscription-rows.ts";
import { isWebhookSecret } from "./webhook-secret.ts";

const MAX_URL_CHARACTERS = 2_048;
const MAX_NAME_CHARACTERS = 256;
const MAX_ONTOLOGIES = 100;
const MAX_VAULTS = 1_000;
const DEFAULT_GRACE_SECONDS = 86_400;
const MAX_GRACE_SECONDS = 604_800;

const ontology = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => text.isWellFormed() && !text.includes("\u0000"), "must be well-formed text");

const targetUrl = z
  .string()
  .min(1)
  .max(MAX_URL_CHARACTERS)
  .regex(/^[^\s\p{Cc}\p{Cs}]*$/u, "must be an address without spaces and control characters")
  .describe("Where webhooks are posted: a public https address on port 443 under a host name, without a fragment.");
const ontologyFilter = z
  .array(ontology)
  .max(MAX_ONTOLOGIES)
  .describe("Ontologies of the records; empty: all.")
  .transform(unique);
const vaultFilter = z.array(eNameInput).max(MAX_VAULTS).describe("eNames of the owners; empty: all.").transform(unique);
const secret = z
  .string()
  .refine(isWebhookSecret, "must be whsec_ and the base64 of 24 to 64 bytes")
  .describe("What signs the webhooks: `whsec_` and the base64 of 24 to 64 bytes. Without it one is made.");

/** The input of a new subscription; without `secret` one is created. */
export interface WantedSubscription {
  readonly targetUrl: string;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly EName[];
  readonly secret?: string | undefined;
}

/** The body of a new subscription. Source: decision E9. */
export const newSubscription: z.ZodType<WantedSubscription> = z.strictObject({
  targetUrl,
  ontologyFilter: ontologyFilter.default([]),
  vaultFilter: vaultFilter.default([]),
  secret: secret.optional(),
});

/** The changes of a subscription; absent members stay. Source: decision E9. */
export const subscriptionChange: z.ZodType<SubscriptionChange> = z.strictObject({
  targetUrl: targetUrl.optional(),
  ontologyFilter: ontologyFilter.optional(),
  vaultFilter: vaultFilter.optional(),
  active: z.boolean().optional().describe("Whether it takes part in events; while it does not, what is queued waits."),
});

/** The input of a secret rotation; without `secret` one is created. Source: decision E3. */
export const secretRotation: z.ZodType<{ readonly secret?: string | undefined; readonly graceSeconds: number }> =
  z.strictObject({
    secret: secret.optional(),
    graceSeconds: z
      .int()
      .min(0)
      .max(MAX_GRACE_SECONDS)
      .default(DEFAULT_GRACE_SECONDS)
      .describe(
        "For how many seconds webhooks are also signed with the replaced secret. 0 ends it and all older ones at once.",
      ),
  });

/** Reads the body of a new subscription. Refuses: BAD_REQUEST, naming the member. Source: decision E9. */
export function readSubscription(body: unknown): WantedSubscription {
  return readInput(newSubscription, body);
}

/** Reads the changes of a subscription. Refuses: BAD_REQUEST, naming the member. Source: decision E9. */
export function readSubscriptionChange(body: unknown): SubscriptionChange {
  return readInput(subscriptionChange, body);
}

/** Reads the input of a secret rotation. Refuses: BAD_REQUEST, naming the member. Source: decision E3. */
export function readSecretRotation(body: unknown): z.infer<typeof secretRotation> {
  return readInput(secretRotation, body);
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
