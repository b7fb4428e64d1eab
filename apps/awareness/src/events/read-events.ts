import { isEName } from "@dataspace/protocol/ename";
import { z } from "zod";
import { awarenessRefusal } from "../errors.ts";
import type { IngestedEvent } from "./ingested-event.ts";

const MAX_EVENTS = 100;
const MAX_NAME_CHARACTERS = 1_024;
const MAX_INT = 2_147_483_647;

const text = z.string().refine((value) => value.isWellFormed(), "must be well-formed text");
/** Text that is stored and compared by itself. */
const name = text
  .min(1)
  .max(MAX_NAME_CHARACTERS)
  .refine((value) => !value.includes("\u0000"), "must not contain U+0000");

const wrapper = z.strictObject({
  body: text,
  requestingPlatform: name.nullable(),
  // The vault has judged them; what cannot be read here admits nobody, and must not hold up the stream.
  policy: z.strictObject({
    acl: z.array(text).nullable().default(null),
    _acl: z.record(z.string(), z.unknown()).nullable().default(null),
    owner: z.record(z.string(), z.unknown()).nullable().default(null),
  }),
});

const webhook = z.strictObject({
  eventId: z.guid(),
  id: name,
  dsid: z.string().refine(isEName, "must be an eName"),
  schemaId: name,
  data: z.record(z.string(), z.unknown()),
  vaultPublicKey: z.string().startsWith("z").nullable(),
  operation: z.enum(["create", "update", "delete"]),
  streamVersion: z.int().min(1).max(MAX_INT),
  // The year 0 is none to the database.
  occurredAt: z.iso.datetime({ offset: true }).refine((value) => !value.startsWith("0000"), "must be a time"),
});

/**
 * Reads the body of `/ingest`: one event, or a list of up to 100.
 *
 * Out: the events in the order of their streams and versions, in which they are stored.
 * Refuses: INVALID_EVENT, naming the first that is none and what is wrong with it; PAYLOAD_TOO_LARGE for more than 100.
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
  const { body, requestingPlatform, policy } = readAs(wrapper, item, `event ${index}`);
  const { id, data: _, vaultPublicKey: _key, ...event } = readAs(webhook, parse(body, index), `body of event ${index}`);
  return { ...event, recordId: id, body, requestingPlatform, policy };
}

function parse(body: string, index: number): unknown {
  try {
    return JSON.parse(body);
  } catch {
    throw awarenessRefusal("INVALID_EVENT", `The body of event ${index} is not JSON; send the webhook's text.`);
  }
}

function readAs<Schema extends z.ZodType>(schema: Schema, value: unknown, what: string): z.infer<Schema> {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const at = issue?.path.length ? `${issue.path.join(".")}: ` : "";
  throw awarenessRefusal("INVALID_EVENT", `The ${what} is refused: ${at}${issue?.message}.`);
}

// By code unit, as the database compares them; every request takes its locks in this order.
function compareEvents(a: IngestedEvent, b: IngestedEvent): number {
  return compare(a.dsid, b.dsid) || compare(a.recordId, b.recordId) || a.streamVersion - b.streamVersion;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
