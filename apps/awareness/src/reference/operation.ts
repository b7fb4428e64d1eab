import type { OperationGroup } from "@dataspace/api-reference/operation";
import type { AwarenessErrorCode } from "../errors.ts";

/** Who may call an operation. */
export type Caller = "anybody" | "vault" | "consumer" | "wallet" | "admin";

/** Operations of this service on one subject. */
export type AwarenessGroup = OperationGroup<AwarenessErrorCode, Caller>;

/** The refusals of operations that use the storage. */
export const BY_STORAGE: readonly AwarenessErrorCode[] = ["STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];
