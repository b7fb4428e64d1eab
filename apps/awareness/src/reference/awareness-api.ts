import type { Api, CallerRow, Credential } from "@dataspace/api-reference/api";
import { AWARENESS_ERRORS, type AwarenessErrorCode } from "../errors.ts";
import { apiKeyOperations, platformOperations } from "./consumer-operations.ts";
import { deliveryOperations } from "./delivery-operations.ts";
import { feedOperations } from "./feed-operations.ts";
import { handshakeOperations } from "./handshake-operations.ts";
import { ingestOperations } from "./ingest-operations.ts";
import { BY_STORAGE, type Caller } from "./operation.ts";
import { serviceOperations } from "./service-operations.ts";
import { subscriptionOperations } from "./subscription-operations.ts";
import { createWebhooks } from "./webhooks.ts";

const ABOUT = `The awareness service tells platforms what happened in vaults. Vaults hand their events over; consumers subscribe, and each matching event is posted to their endpoint, signed, in the order of its record's versions, for up to 24 hours. Who missed something reads the feed.

Every refusal is \`{"error":{"code","message"}}\` with the status of its code. Requests of one address are limited: \`RateLimit-Policy\` and \`RateLimit\` say how and where one stands. An address that is not listed here is 404 \`NOT_FOUND\`, another method of one that is 405 \`METHOD_NOT_ALLOWED\`.`;

const CREDENTIALS: Readonly<Record<string, Credential>> = {
  apiKey: {
    description:
      "An API key, `dsk_...`, made by a wallet. In the development stack a call of this machine without a credential is the consumer `dev`.",
  },
  walletToken: {
    bearerFormat: "JWT",
    description:
      "A wallet token whose `aud` is this service's origin: its eName is the consumer. It serves any number of reads and one request that writes.",
  },
  platformSession: {
    scheme: "dpop",
    description:
      "A platform's session of a handshake, `dss_...`, as `Authorization: DPoP` with a proof of its own in the header `DPoP` (RFC 9449). The consumer is the platform. One proof serves one request.",
  },
  ingestSecret: { description: "DS_INGEST_SECRET, which the operator gives to the vaults." },
};

const CONSUMER: readonly AwarenessErrorCode[] = [
  "UNAUTHENTICATED",
  "INVALID_TOKEN",
  "REGISTRY_UNAVAILABLE",
  "RATE_LIMITED",
  ...BY_STORAGE,
];

/** Each caller: its security schemes, and its refusals. Source: decisions E5, E9. */
const CALLERS: Readonly<Record<Caller, CallerRow>> = {
  anybody: { says: "For everybody.", shows: [], refuses: [] },
  vault: {
    says: "For vaults.",
    shows: ["ingestSecret"],
    refuses: ["UNAUTHENTICATED", ...BY_STORAGE],
    isChallenged: true,
  },
  consumer: {
    says: "For consumers.",
    shows: ["apiKey", "walletToken", "platformSession"],
    refuses: CONSUMER,
    spendsToken: true,
  },
  wallet: {
    says: "For consumers, by their wallets alone.",
    shows: ["walletToken"],
    refuses: [...CONSUMER, "WALLET_REQUIRED"],
    spendsToken: true,
  },
  admin: {
    says: "For the operator's own eNames, by their wallets.",
    shows: ["walletToken"],
    refuses: [...CONSUMER, "NOT_AN_ADMIN"],
    spendsToken: true,
  },
};

/** What the service's reference is made from. */
export const awarenessApi: Api = {
  info: { title: "Dataspace awareness service", summary: "Events to subscribers.", about: ABOUT },
  credentials: CREDENTIALS,
  callers: CALLERS,
  errors: AWARENESS_ERRORS,
  groups: [
    subscriptionOperations,
    deliveryOperations,
    feedOperations,
    apiKeyOperations,
    platformOperations,
    handshakeOperations,
    ingestOperations,
    serviceOperations,
  ],
  more: {
    webhooks: {
      says: "What the service sends to subscribers, after Standard Webhooks 1.0.",
      create: createWebhooks,
    },
  },
};
