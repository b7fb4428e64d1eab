import { z } from "zod";
import type { PublishedWebhookKey } from "../delivery/webhook-signing-key.ts";
import { walletAnswer } from "../portal/sign-in-door.ts";
import { EXAMPLE_KEY } from "./examples.ts";
import { type AwarenessGroup, BY_STORAGE } from "./operation.ts";

const webhookKey: z.ZodType<PublishedWebhookKey> = z.strictObject({
  kty: z.literal("OKP"),
  crv: z.literal("Ed25519"),
  x: z.string().describe("The public key, 32 bytes in base64url."),
  kid: z.string(),
  alg: z.literal("EdDSA"),
  use: z.literal("sig"),
});

const EXAMPLE_ANSWER = {
  ename: "@7c0e8b5a-4f3d-4a41-9f4c-1d2e3f405162",
  session: "7sTq0rXkZ9v3Lw1nYc5aUe8dGh2bJm4pQf6iKoRtSxA",
  signature: "xlAuQ7fb46yAZ96LO4JSAYclb/qnlzJfdRdaj0GWJ/qTqD7NxisEOvOh4JwX30piBMVwteH1z2EWgVHsA2bbiA==",
};

/** Information about the service itself. Source: decision E3. */
export const serviceOperations: AwarenessGroup = {
  name: "Service",
  says: "Public information about the service.",
  schemas: { WebhookKey: webhookKey },
  operations: [
    {
      id: "readWebhookKeys",
      method: "get",
      route: "/.well-known/webhook-keys",
      summary: "Read the keys of v1a signatures",
      says: "A JWK set (RFC 7517). It may be cached for 5 minutes.",
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
      id: "answerSignIn",
      method: "post",
      route: "/portal/callback",
      summary: "Sign in to the portal by wallet",
      says: "What a wallet sends after it scanned the code of `/portal/sign-in`. The browser that shows the code then continues. Other members are ignored.",
      caller: "anybody",
      body: { schema: walletAnswer, required: true, example: EXAMPLE_ANSWER },
      answers: [
        {
          status: 200,
          says: "It is signed in.",
          schema: z.strictObject({ signed: z.literal(true) }),
          example: { signed: true },
        },
      ],
      refuses: ["INVALID_SIGNATURE", "SIGN_IN_OVER", "REGISTRY_UNAVAILABLE", "RATE_LIMITED", ...BY_STORAGE],
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
    {
      id: "readReference",
      method: "get",
      route: "/docs",
      summary: "Read this reference as a page",
      says: "The same, for people.",
      caller: "anybody",
      answers: [{ status: 200, says: "The page.", mediaType: "text/html", schema: z.string() }],
      refuses: ["RATE_LIMITED"],
    },
  ],
};
