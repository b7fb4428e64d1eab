import { z } from "zod";
import type { Subscription } from "../store/subscription-rows.ts";
import { newSubscription, secretRotation, subscriptionChange } from "../subscriptions/subscription-input.ts";
import type { RotatedSecret } from "../subscriptions/subscriptions.ts";
import { EXAMPLE_SECRET, EXAMPLE_SUBSCRIPTION } from "./examples.ts";
import type { AwarenessGroup } from "./operation.ts";

const members = {
  id: z.guid(),
  targetUrl: z.string().describe("Where webhooks are posted."),
  ontologyFilter: z.array(z.string()).describe("Ontologies of the events that it receives; empty: all."),
  vaultFilter: z.array(z.string()).describe("Owners of the events that it receives, by eName; empty: all."),
  active: z
    .boolean()
    .describe(
      "Whether it matches events. An endpoint's 410 makes it inactive, a change makes it active again. A subscription that is inactive for 30 days is removed.",
    ),
};
const subscription: z.ZodType<Subscription> = z.strictObject(members);
const madeSubscription: z.ZodType<Subscription & { readonly secret: string }> = z.strictObject({
  ...members,
  secret: z.string().describe("What verifies `v1` signatures; shown this once."),
});
const rotatedSecret: z.ZodType<RotatedSecret> = z.strictObject({
  secret: z.string().describe("What verifies `v1` signatures from now on; shown this once."),
  previousValidUntil: z.iso.datetime({ offset: true }).describe("Until then the secret before it signs too."),
});
const testAnswer = z.strictObject({
  status: z.int().nullable().describe("The endpoint's status; null when nothing answered."),
  error: z.string().nullable().describe("Why nothing answered, such as `timeout` or `unreachable`."),
  answer: z.string().nullable().describe("The first 1 KiB of what the endpoint said."),
  durationMs: z.number().min(0),
});
const ROUTE = "/api/subscriptions";

/** The path parameter that names a subscription. */
export const subscriptionPath: z.ZodType = z.strictObject({
  id: z.guid().meta({ description: "The subscription.", examples: [EXAMPLE_SUBSCRIPTION["id"]] }),
});

/** A consumer's operations on subscriptions. Source: decision E9. */
export const subscriptionOperations: AwarenessGroup = {
  name: "Subscriptions",
  says: "What a consumer wants to hear, and where. A consumer meets its own subscriptions alone; another's is 404.",
  schemas: { Subscription: subscription },
  operations: [
    {
      id: "addSubscription",
      method: "post",
      route: ROUTE,
      summary: "Subscribe",
      says: "First the target gets a signed challenge, a webhook of `webhook-type: challenge`, and must answer it with 2xx within 5 s. A consumer has at most 100 subscriptions.",
      caller: "consumer",
      body: {
        schema: newSubscription,
        required: true,
        example: {
          targetUrl: EXAMPLE_SUBSCRIPTION["targetUrl"],
          ontologyFilter: EXAMPLE_SUBSCRIPTION["ontologyFilter"],
        },
      },
      answers: [
        {
          status: 201,
          says: "It receives every event from now on.",
          schema: madeSubscription,
          example: { ...EXAMPLE_SUBSCRIPTION, secret: EXAMPLE_SECRET },
        },
      ],
      refuses: ["INVALID_TARGET", "TARGET_UNVERIFIED", "TOO_MANY"],
    },
    {
      id: "listSubscriptions",
      method: "get",
      route: ROUTE,
      summary: "List subscriptions",
      says: "All of the consumer's, without their secrets.",
      caller: "consumer",
      answers: [
        {
          status: 200,
          says: "The subscriptions.",
          schema: z.strictObject({ subscriptions: z.array(subscription) }),
          example: { subscriptions: [EXAMPLE_SUBSCRIPTION] },
        },
      ],
      refuses: [],
    },
    {
      id: "findSubscription",
      method: "get",
      route: `${ROUTE}/:id`,
      summary: "Read a subscription",
      says: "Without its secret.",
      caller: "consumer",
      path: subscriptionPath,
      answers: [{ status: 200, says: "The subscription.", schema: subscription, example: EXAMPLE_SUBSCRIPTION }],
      refuses: ["NOT_FOUND"],
    },
    {
      id: "changeSubscription",
      method: "patch",
      route: `${ROUTE}/:id`,
      summary: "Change a subscription",
      says: "What is left out stays. A new target is challenged before anything changes.",
      caller: "consumer",
      path: subscriptionPath,
      body: { schema: subscriptionChange, required: true, example: { active: false } },
      answers: [
        {
          status: 200,
          says: "The subscription as it is now.",
          schema: subscription,
          example: { ...EXAMPLE_SUBSCRIPTION, active: false },
        },
      ],
      refuses: ["NOT_FOUND", "INVALID_TARGET", "TARGET_UNVERIFIED"],
    },
    {
      id: "removeSubscription",
      method: "delete",
      route: `${ROUTE}/:id`,
      summary: "Unsubscribe",
      says: "What is queued for it is sent no more.",
      caller: "consumer",
      path: subscriptionPath,
      answers: [{ status: 204, says: "It is gone." }],
      refuses: ["NOT_FOUND"],
    },
    {
      id: "rotateSecret",
      method: "post",
      route: `${ROUTE}/:id/rotate-secret`,
      summary: "Replace the secret",
      says: "Webhooks are signed by the new secret at once, and by the one before it too for a while, so that none is refused in between. At most 5 are valid at a time.",
      caller: "consumer",
      path: subscriptionPath,
      body: { schema: secretRotation, required: false, example: { graceSeconds: 3600 } },
      answers: [
        {
          status: 200,
          says: "The new secret.",
          schema: rotatedSecret,
          example: { secret: EXAMPLE_SECRET, previousValidUntil: "2026-11-22T10:30:00.000Z" },
        },
      ],
      refuses: ["NOT_FOUND", "TOO_MANY"],
    },
    {
      id: "testSubscription",
      method: "post",
      route: `${ROUTE}/:id/test`,
      summary: "Send a test webhook",
      says: "Sends one webhook of `webhook-type: test` now, once, and tells what came of it. It is in no log.",
      caller: "consumer",
      path: subscriptionPath,
      answers: [
        {
          status: 200,
          says: "What came of it, whatever that is.",
          schema: testAnswer,
          example: { status: 204, error: null, answer: "", durationMs: 38 },
        },
      ],
      refuses: ["NOT_FOUND"],
    },
  ],
};
