import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { createHearing, type Hearing, type HearingDeps } from "../../src/visibility/hearing.ts";

/** Makes the decision over what a consumer may receive, without a registry and an authority. */
export function createTestHearing(database: Queryable, choices: Partial<Omit<HearingDeps, "database">> = {}): Hearing {
  return createHearing({
    database,
    clock: { nowMs: Date.now },
    hasSigned: async () => false,
    isKnown: async () => false,
    statusOf: async () => "unavailable",
    ...choices,
  });
}
