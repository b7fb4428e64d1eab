import { apiKeyOperations, platformOperations } from "./consumer-operations.ts";
import { deliveryOperations } from "./delivery-operations.ts";
import { feedOperations } from "./feed-operations.ts";
import { handshakeOperations } from "./handshake-operations.ts";
import { ingestOperations } from "./ingest-operations.ts";
import type { OperationGroup } from "./operation.ts";
import { serviceOperations } from "./service-operations.ts";
import { subscriptionOperations } from "./subscription-operations.ts";

/** All operations of the service, in reading order. */
export const groups: readonly OperationGroup[] = [
  subscriptionOperations,
  deliveryOperations,
  feedOperations,
  apiKeyOperations,
  platformOperations,
  handshakeOperations,
  ingestOperations,
  serviceOperations,
];
