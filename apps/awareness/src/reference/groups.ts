import { apiKeyOperations, platformOperations } from "./consumer-operations.ts";
import { deliveryOperations } from "./delivery-operations.ts";
import { feedOperations } from "./feed-operations.ts";
import { ingestOperations } from "./ingest-operations.ts";
import type { OperationGroup } from "./operation.ts";
import { serviceOperations } from "./service-operations.ts";
import { subscriptionOperations } from "./subscription-operations.ts";

/** All that the service answers to, in the order in which a reader wants it. */
export const groups: readonly OperationGroup[] = [
  subscriptionOperations,
  deliveryOperations,
  feedOperations,
  apiKeyOperations,
  platformOperations,
  ingestOperations,
  serviceOperations,
];
