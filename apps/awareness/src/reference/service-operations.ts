import { z } from "zod";
import type { PublishedWebhookKey } from "../delivery/webhook-signing-key.ts";
import { EXAMPLE_KEY } from "./examples.ts";
import type { OperationGroup } from "./operation.ts";

const webhookKey: z.ZodType<PublishedWebhookKey> = z.strictObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().describe("The public key, 32 bytes in base64url."),
  kid: z.string(),
  alg: z.literal("EdDSA"),
  use: z.literal("sig"),
});

/** What the service says of itself. Source: decision E3. */
export const serviceOperations: OperationGroup = {
  name: "Service",
  says: "What the service says of itself, to anybody.",
  schemas: { WebhookKey: webhookKey },
  operations: [
    {
      id: "readWebhookKeys",
      method: "get",
      route: "/.well-known/webhook-keys",
      summary: "Read the keys of v1a signatures",
      says: "A JWK set (RFC 7517). It may be kept for 5 minutes.",
      caller: "anybody",
      answers: [
        {
          status: 200,
          says: "The keys.",
          schema: z.strictObject({ keys: z.array(webhookKey) }),
          example: { keys: [EXAMPLE_KEY] },
        },
      ],
      refuses: ["RATE_LIMITED"],
    },
    {
      id: "readHealth",
      method: "get",
      route: "/healthz",
      summary: "Ask whether it is up",
      says: "It answers without asking its storage.",
      caller: "anybody",
      answers: [
        {
          status: 200,
          says: "It is up.",
          schema: z.strictObject({ status: z.literal("ok") }),
          example: { status: "ok" },
        },
      ],
      refuses: [],
    },
    {
      id: "readDocument",
      method: "get",
      route: "/openapi.json",
      summary: "Read this reference as OpenAPI",
      says: "An OpenAPI 3.1 document, for tools.",
      caller: "anybody",
      answers: [{ status: 200, says: "The document.", schema: z.looseObject({ openapi: z.string() }) }],
      refuses: ["RATE_LIMITED"],
    },
  ],
};
