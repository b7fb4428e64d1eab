import type { AwarenessErrorCode } from "../errors.ts";
import type { z } from "zod";

/** Who may call an operation. */
export type Caller = "anybody" | "vault" | "consumer" | "wallet" | "admin";

/** One successful answer. `example` matches `schema`; without a `mediaType` it is JSON. */
export interface Answer {
  readonly status: number;
  readonly says: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

/** The body of a request: the schema by which the endpoint reads it. */
export interface Body {
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly example: unknown;
}

/** One route in the reference. */
export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** As the server has it, with `:id` for a parameter. */
  readonly route: string;
  readonly summary: string;
  readonly says: string;
  readonly caller: Caller;
  /** Objects whose members are the parameters. */
  readonly path?: z.ZodType;
  readonly query?: z.ZodType;
  readonly headers?: z.ZodType;
  readonly body?: Body;
  readonly answers: readonly Answer[];
  /** Codes beside those of its caller and its method. */
  readonly refuses: readonly AwarenessErrorCode[];
}

/** Operations on one subject, and their named schemas. */
export interface OperationGroup {
  readonly name: string;
  readonly says: string;
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly operations: readonly Operation[];
}

/** The refusals of operations that use the storage. */
export const BY_STORAGE: readonly AwarenessErrorCode[] = ["STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];
const CONSUMER: readonly AwarenessErrorCode[] = [
  "UNAUTHENTICATED",
  "INVALID_TOKEN",
  "REGISTRY_UNAVAILABLE",
  "RATE_LIMITED",
  ...BY_STORAGE,
];

/** Each caller: its security schemes, and its refusals. Source: decisions E5, E9. */
export const CALLERS: Readonly<Record<Caller, CallerRow>> = {
  anybody: { says: "For everybody.", shows: [], refuses: [] },
  vault: {
    says: "For vaults.",
    shows: ["ingestSecret"],
    refuses: ["UNAUTHENTICATED", ...BY_STORAGE],
  },
  consumer: { says: "For consumers.", shows: ["apiKey", "walletToken", "platformSession"], refuses: CONSUMER },
  wallet: {
    says: "For consumers, by their wallets alone.",
    shows: ["walletToken"],
    refuses: [...CONSUMER, "WALLET_REQUIRED"],
  },
  admin: {
    says: "For the operator's own eNames, by their wallets.",
    shows: ["walletToken"],
    refuses: [...CONSUMER, "NOT_AN_ADMIN"],
  },
};

interface CallerRow {
  readonly says: string;
  readonly shows: readonly string[];
  readonly refuses: readonly AwarenessErrorCode[];
}
