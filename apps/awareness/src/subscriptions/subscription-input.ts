import { type EName, parseEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import { awarenessRefusal } from "../errors.ts";
import type { SubscriptionChange } from "../store/subscription-rows.ts";
import { isWebhookSecret } from "./webhook-secret.ts";

const MAX_URL_CHARACTERS = 2_048;
const MAX_NAME_CHARACTERS = 256;
const MAX_ONTOLOGIES = 100;
const MAX_VAULTS = 1_000;

const ontology = z
  .string()
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((text) => text.isWellFormed() && !text.includes("\u0000"), "must be well-formed text");
const ename = z.string().transform((text, context): EName => {
  try {
    return parseEName(text);
  } catch (error) {
    context.addIssue({ code: "custom", message: (error as Error).message });
    return z.NEVER;
  }
});

const targetUrl = z.string().min(1).max(MAX_URL_CHARACTERS);
const ontologyFilter = z.array(ontology).max(MAX_ONTOLOGIES).transform(unique);
const vaultFilter = z.array(ename).max(MAX_VAULTS).transform(unique);
const secret = z.string().refine(isWebhookSecret, "must be whsec_ and the base64 of 24 to 64 bytes");

const creation = z.strictObject({
  targetUrl,
  ontologyFilter: ontologyFilter.default([]),
  vaultFilter: vaultFilter.default([]),
  secret: secret.optional(),
});
const change = z.strictObject({
  targetUrl: targetUrl.optional(),
  ontologyFilter: ontologyFilter.optional(),
  vaultFilter: vaultFilter.optional(),
  active: z.boolean().optional(),
});

/** A subscription as it is asked for; without `secret` one is made. */
export interface WantedSubscription {
  readonly targetUrl: string;
  readonly ontologyFilter: readonly string[];
  readonly vaultFilter: readonly EName[];
  readonly secret?: string | undefined;
}

/** Reads the body of a new subscription. Refuses: BAD_REQUEST, naming the member. Source: decision E9. */
export function readSubscription(body: unknown): WantedSubscription {
  return readBody(creation, body);
}

/** Reads what is to change of a subscription. Refuses: BAD_REQUEST, naming the member. Source: decision E9. */
export function readSubscriptionChange(body: unknown): SubscriptionChange {
  return readBody(change, body);
}

function readBody<Schema extends z.ZodType>(schema: Schema, body: unknown): z.infer<Schema> {
  const parsed = schema.safeParse(body);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue?.path.length ? issue.path.join(".") : "the body";
  throw awarenessRefusal("BAD_REQUEST", `Change ${at}: ${issue?.message}.`);
}

function unique<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)];
}
