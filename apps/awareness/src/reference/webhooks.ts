import { WEBHOOK_CHALLENGE } from "@dataspace/protocol/webhook-challenge";
import { z } from "zod";
import type { JsonSchemas } from "@dataspace/api-reference/json-schemas";
import type { ApiAnswer, ApiOperation, PathItem } from "@dataspace/api-reference/open-api";
import { webhookBody } from "../events/read-events.ts";
import { EXAMPLE_CHALLENGE, EXAMPLE_CHALLENGE_HEADERS, EXAMPLE_EVENT, EXAMPLE_HEADERS } from "./examples.ts";

const everyWebhook = {
  "webhook-id": z.guid().describe("The event's id, the same at every attempt: skip what you have seen."),
  "webhook-timestamp": z
    .string()
    .regex(/^\d+$/)
    .describe("Seconds since 1970 of this attempt; refuse what is older than 5 minutes."),
  "webhook-signature": z
    .string()
    .describe(
      "Over `id.timestamp.body`, separated by spaces: `v1,` and the base64 of an HMAC-SHA256 for each valid secret, `v1a,` and that of an Ed25519 signature by a key of `/.well-known/webhook-keys`. One that holds is enough.",
    ),
  "webhook-binding": z
    .string()
    .describe(
      "Binds the webhook to its subscription and target: `v1a,` and the base64 of an Ed25519 signature by a key of `/.well-known/webhook-keys`, over six lines separated by a line feed: `ds-webhook-binding:v1`, `webhook-id`, `webhook-timestamp`, `webhook-subscription-id`, the target as `URL.href` spells it, and the base64url of the body's SHA-256. Check it where you trust keys without a secret: `webhook-signature` alone is the same for every subscriber.",
    ),
  "webhook-delivery-id": z.guid().describe("The attempt's id in the list of attempts."),
  "webhook-attempt": z.string().regex(/^\d+$/).describe("The attempt's number, from 1."),
  "webhook-subscription-id": z.guid().describe("Whose it is; `webhook-binding` signs it."),
};
const eventHeaders = z.strictObject({
  ...everyWebhook,
  "webhook-replay": z.literal("true").optional().describe("It was asked for again, by redrive or replay."),
});
const probeHeaders = z.strictObject({
  ...everyWebhook,
  "webhook-delivery-id": z.guid().describe("Of this request alone: no list has it."),
  "webhook-type": z.enum(["challenge", "test"]).describe("What it is, for a log. No signature covers it."),
});

const eventAnswers: Readonly<Record<string, ApiAnswer>> = {
  "2XX": {
    description:
      "It is delivered. The next event of the record follows. Keep the answer under 16 KiB: of a longer one no more is read, and the endpoint then gets one event at a time, ten a second at most, until an answer is shorter.",
  },
  "410": {
    description: "The subscription is no longer active. What is queued waits until it is, while its 24 hours run.",
  },
  "429": {
    description:
      "It is tried again, no sooner than `Retry-After` says. The same holds for `Retry-After` of any other answer.",
    headers: {
      "retry-after": {
        description: "Seconds, or a date: how long to leave the endpoint alone.",
        schema: { type: "string" },
      },
    },
  },
  default: {
    description:
      "It is tried again, and so where nothing answers within 5 s; a redirect is not followed. After 24 hours the event is a dead letter, and the next of its record follows.",
  },
};
const probeAnswers: Readonly<Record<string, ApiAnswer>> = {
  "2XX": { description: "A challenge: the endpoint wants the subscription's webhooks." },
  default: { description: "A challenge: it does not, and the subscription is neither made nor changed." },
};

/**
 * Describes what subscribers receive, and what their answers mean. Refuses: never. Source: S1 "Events"; decisions E2,
 * E3, E6, E9.
 */
export function createWebhooks(schemas: JsonSchemas): Readonly<Record<string, PathItem>> {
  return {
    event: toPathItem(schemas, {
      operationId: "event",
      summary: "A record changed",
      description:
        "Posted to the subscription's `targetUrl`. A record's events come one at a time, in the order of their versions; those of different records do not wait for each other. Each comes at least once.",
      headers: eventHeaders,
      example: { headers: EXAMPLE_HEADERS, body: EXAMPLE_EVENT },
      responses: eventAnswers,
    }),
    probe: toPathItem(schemas, {
      operationId: "probe",
      summary: "A challenge or a test",
      description: `Posted to a \`targetUrl\` before it counts, or when its consumer asks for a test. No record has its \`id\`, \`dsid\` and \`schemaId\`. A challenge is known by its signed body: its \`dsid\` is \`${WEBHOOK_CHALLENGE.dsid}\` and its \`schemaId\` \`${WEBHOOK_CHALLENGE.schemaId}\`. Those of a test are random.`,
      headers: probeHeaders,
      example: { headers: EXAMPLE_CHALLENGE_HEADERS, body: EXAMPLE_CHALLENGE },
      responses: probeAnswers,
    }),
  };
}

interface Webhook extends Pick<ApiOperation, "operationId" | "summary" | "description" | "responses"> {
  readonly headers: z.ZodType;
  readonly example: { readonly headers: Readonly<Record<string, string>>; readonly body: unknown };
}

function toPathItem(schemas: JsonSchemas, { headers, example, ...webhook }: Webhook): PathItem {
  const parameters = schemas.parametersOf(headers, "header").map((parameter) => {
    const value = example.headers[parameter.name];
    return value === undefined ? parameter : { ...parameter, example: value };
  });
  const content = { "application/json": { schema: schemas.toSchema(webhookBody), example: example.body } };
  return {
    post: { ...webhook, tags: ["Webhooks"], security: [], parameters, requestBody: { required: true, content } },
  };
}
