import { isEName } from "@dataspace/protocol/ename";
import { type OwnerPolicyStatement, parseOwnerPolicy } from "@dataspace/protocol/owner-policy";
import { readTraceparent } from "@dataspace/service-kit/tracing/traceparent";
import { z } from "zod";
import type { JsonObject } from "@dataspace/protocol/meta-envelope";
import { awarenessRefusal } from "../errors.ts";
import type { IngestedEvent } from "./ingested-event.ts";
import { readStatedFacts } from "./stated-facts.ts";

type WebhookBody = Omit<
  IngestedEvent,
  "recordId" | "body" | "requestingPlatform" | "policy" | "ownerPolicy" | "stated" | "traceparent"
> & {
  readonly id: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly vaultPublicKey: string | null;
};
type SentEvent = Pick<IngestedEvent, "body" | "requestingPlatform" | "policy"> & {
  readonly traceparent?: string | undefined;
};

const MAX_EVENTS = 100;
/** At most 1,024 bytes, which fit into a PostgreSQL index even without compression. */
const MAX_NAME_CHARACTERS = 256;
const MAX_PLATFORM_CHARACTERS = 512;
const MAX_INT = 2_147_483_647;
const MAX_POLICY_DEPTH = 64;
/** Fewer fraction digits and a smaller offset than PostgreSQL accepts. */
const TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-](?:0\d|1[0-3]):\d\d|[+-]14:00)$/;
const FIRST_TIME_MS = 0;
const END_OF_TIME_MS = Date.UTC(10_000, 0);

const text = z.string().refine((value) => value.isWellFormed(), "must be well-formed text");
/** Text that is stored and compared separately. */
const name = text
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((value) => !value.includes("\u0000"), "must not contain U+0000");
const platformName = text
  .min(1)
  .max(MAX_PLATFORM_CHARACTERS)
  .refine((value) => !value.includes("\u0000"), "must not contain U+0000");
const policyPart = z
  .record(z.string(), z.unknown())
  .refine((value) => !isDeeperThan(value, MAX_POLICY_DEPTH), `must not be nested deeper than ${MAX_POLICY_DEPTH}`)
  .nullable()
  .default(null);

/**
 * What a subscriber receives, and a vault sends as text: the nine members of a webhook. Source: S1 "Webhook payload".
 */
export const webhookBody: z.ZodType<WebhookBody> = z.strictObject({
  eventId: z.guid().describe("The event, the same at every attempt: skip what you have seen."),
  id: name.describe("The record (its MetaEnvelope's id)."),
  dsid: z.string().refine(isEName, "must be an eName").describe("The record's owner: an eName, `@` and a UUID."),
  schemaId: name.describe("The record's ontology."),
  data: z.record(z.string(), z.unknown()).describe("The record's payload."),
  vaultPublicKey: z
    .string()
    .max(MAX_NAME_CHARACTERS)
    .regex(/^z/, "must start with z")
    .nullable()
    .describe("The owner's public key in multibase; null while the owner has none."),
  operation: z.enum(["create", "update", "delete"]).describe("What was done to the record."),
  streamVersion: z.int().min(1).max(MAX_INT).describe("The record's version: higher is newer."),
  occurredAt: z.iso
    .datetime({ offset: true })
    .refine(
      isTime,
      "must be a time from 1970 to 9999, with at most 9 fraction digits and an offset of at most 14 hours",
    )
    .describe("When it was done: from 1970 to 9999, with at most 9 fraction digits."),
});

/** One event as a vault sends it. Source: decision E5. */
export const sentEvent: z.ZodType<SentEvent> = z.strictObject({
  body: text.describe("The webhook's text, delivered to the byte: JSON of the members of `Event`."),
  requestingPlatform: platformName
    .nullable()
    .describe("The platform that wrote, which does not receive the event; null for none."),
  policy: z
    .strictObject({
      // The vault has validated them; a policy that cannot be read here admits nobody, and must not block the stream.
      acl: z.array(text).nullable().default(null).describe("The record's legacy array."),
      _acl: policyPart.describe("The record's policy."),
      owner: policyPart.describe("The owner's access policy."),
    })
    .describe("Who may read the record, as of this event; null for what there is not."),
  // One that is invalid is ignored: a trace must not block a stream.
  traceparent: z
    .string()
    .optional()
    .describe("The span that caused the event, where its vault exports traces (W3C Trace Context)."),
});

/** The body of `/ingest`. Source: decisions E5, P9. */
export const ingestBody: z.ZodType = z.union([sentEvent, z.array(sentEvent).max(MAX_EVENTS)]);

/**
 * Reads the body of `/ingest`: one event, or a list of up to 100.
 *
 * Out: the events in the order of their streams and versions, in which they are stored.
 * Refuses: INVALID_EVENT, naming the first invalid event and its fault; PAYLOAD_TOO_LARGE for more than 100.
 * Source: S1 "Webhook payload"; decisions E5, P9.
 */
export function readEvents(body: unknown): readonly IngestedEvent[] {
  const items: readonly unknown[] = Array.isArray(body) ? body : [body];
  if (items.length > MAX_EVENTS) {
    throw awarenessRefusal("PAYLOAD_TOO_LARGE", `A request takes ${MAX_EVENTS} events; send the rest in another.`);
  }
  return items.map(readEvent).sort(compareEvents);
}

function readEvent(item: unknown, index: number): IngestedEvent {
  const { body, requestingPlatform, policy, traceparent } = readAs(sentEvent, item, `event ${index}`);
  const { id, data, vaultPublicKey, ...event } = readAs(webhookBody, parse(body, index), `body of event ${index}`);
  const ownerPolicy = readOwnerPolicy(policy.owner, event.dsid);
  const parsed = ownerPolicy === undefined ? policy : { ...policy, owner: null };
  const written = { ...event, data: data as JsonObject, vaultPublicKey, requestingPlatform };
  const stated = readStatedFacts(written);
  const cause = { traceparent: readTraceparent(traceparent) };
  return { ...event, ...cause, recordId: id, body, requestingPlatform, policy: parsed, ownerPolicy, stated };
}

// The vault has verified the signature; here it counts for the owner of whom the event is, and for nobody else.
function readOwnerPolicy(owner: unknown, dsid: string): OwnerPolicyStatement | undefined {
  if (owner === null) return undefined;
  try {
    const statement = parseOwnerPolicy((owner as { readonly statement?: unknown }).statement);
    return statement.subject === dsid ? statement : undefined;
  } catch {
    return undefined;
  }
}

function parse(body: string, index: number): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw awarenessRefusal("INVALID_EVENT", `The body of event ${index} is not JSON; send the webhook's text.`);
  }
}

function readAs<Output>(schema: z.ZodType<Output>, value: unknown, what: string): Output {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw awarenessRefusal("INVALID_EVENT", `The ${what} is refused: ${at}${issue?.message}.`);
}

function isTime(value: string): boolean {
  const atMs = TIME.test(value) ? Date.parse(value) : Number.NaN;
  return atMs >= FIRST_TIME_MS && atMs < END_OF_TIME_MS;
}

/** It looks no deeper, so a hostile value cannot exhaust the stack, here or where the value is written. */
function isDeeperThan(value: unknown, depth: number): boolean {
  if (typeof value !== "object" || value === null) return false;
  return depth === 0 || Object.values(value).some((item) => isDeeperThan(item, depth - 1));
}

// By code unit, as the database compares them; every request takes its locks in this order.
function compareEvents(a: IngestedEvent, b: IngestedEvent): number {
  return compare(a.dsid, b.dsid) || compare(a.recordId, b.recordId) || a.streamVersion - b.streamVersion;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
