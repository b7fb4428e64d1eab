import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Guard } from "../access/guard.ts";
import type { CreationOrder } from "../meta-envelopes/creation-order.ts";
import type { UnderOwnerLock } from "../store/owner-lock.ts";
import type { WithinQuota } from "../store/record-quota.ts";
import type { Warning } from "./warning.ts";

/** Where records are written: the database, with the lock and the quotas of an owner in it. */
export interface OwnerStore {
  readonly database: Database;
  readonly underOwnerLock: UnderOwnerLock;
  readonly withinQuota: WithinQuota;
  /** Only where the request is traced. */
  readonly traceCommit?: TraceCommit | undefined;
}

/** Runs a commit as a span; its events carry the span's `traceparent`. Refuses: as the commit. */
export type TraceCommit = <Result>(commit: (traceparent: string | null) => Promise<Result>) => Promise<Result>;

/** Makes the ids of records, events and log entries, as UUIDv7s in ascending order, and the place of a new record. */
export interface NewIds {
  readonly newUuid: () => string;
  readonly creationOrder: CreationOrder;
}

/**
 * The dependencies of a write. `announce` is called after a commit, so that its event is sent at once; it is cheap.
 * `warn` adds a warning to the answer.
 */
export interface WriteDeps {
  readonly guard: Guard;
  readonly store: OwnerStore;
  readonly ids: NewIds;
  readonly clock: Clock;
  readonly announce: () => void;
  readonly warn: (warning: Warning) => void;
}
