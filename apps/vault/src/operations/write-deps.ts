import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Guard } from "../access/guard.ts";
import type { CreationOrder } from "../meta-envelopes/creation-order.ts";
import type { UnderOwnerLock } from "../store/owner-lock.ts";
import type { WithinQuota } from "../store/record-quota.ts";
import type { Warning } from "./warning.ts";

/**
 * The dependencies of a write. `newUuid` returns UUIDv7s in ascending order. `announce` is called after a commit, so
 * that its event is sent at once; it is cheap. `warn` adds a warning to the answer.
 */
export interface WriteDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly announce: () => void;
  readonly newUuid: () => string;
  readonly creationOrder: CreationOrder;
  readonly guard: Guard;
  readonly underOwnerLock: UnderOwnerLock;
  readonly withinQuota: WithinQuota;
  readonly warn: (warning: Warning) => void;
}
