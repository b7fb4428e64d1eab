import { requireBearerSecret } from "@dataspace/service-kit/http/bearer-secret";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";

/**
 * Makes the hook that admits only holders of the registry's shared secret. Refuses: UNAUTHENTICATED. Source: decision
 * X2.
 */
export function requireSharedSecret(sharedSecret: Secret): ReturnType<typeof requireBearerSecret> {
  return requireBearerSecret(sharedSecret, () =>
    registryRefusal("UNAUTHENTICATED", "Send the registry's shared secret as Authorization: Bearer <secret>."),
  );
}
