import type { AwarenessErrorCode } from "../errors.ts";
import type { z } from "zod";

/** Who may call an operation. */
export type Caller = "anybody" | "vault" | "consumer" | "wallet" | "admin";

/** One answer that is no refusal. `example` is true for `schema`; without a `mediaType` it is JSON. */
export interface Answer {
  readonly status: number;
  readonly says: string;
  readonly mediaType?: string;
  readonly schema?: z.ZodType;
  readonly example?: unknown;
}

/** What a request carries as its body: the schema by which the door reads it. */
export interface Body {
  readonly schema: z.ZodType;
  readonly required: boolean;
  readonly example: unknown;
}

/** One route as the reference tells of it. */
export interface Operation {
  readonly id: string;
  readonly method: "get" | "post" | "put" | "patch" | "delete";
  /** As the server has it, `:id` for a part that varies. */
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
  /** Codes beside those that its caller and its method bring with them. */
  readonly refuses: readonly AwarenessErrorCode[];
}

/** Operations about one thing, and the shapes that they have by name. */
export interface OperationGroup {
  readonly name: string;
  readonly says: string;
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly operations: readonly Operation[];
}

/** How whatever asks the storage may be refused. */
export const BY_STORAGE: readonly AwarenessErrorCode[] = ["STORAGE_FULL", "STORAGE_UNAVAILABLE", "TIMEOUT"];
const CONSUMER: readonly AwarenessErrorCode[] = [
  "UNAUTHENTICATED",
  "INVALID_TOKEN",
  "REGISTRY_UNAVAILABLE",
  "RATE_LIMITED",
  ...BY_STORAGE,
];

/** Who each caller is, what it shows, by the names of the security schemes, and how it may be refused. Source: decisions E5, E9. */
export const CALLERS: Readonly<Record<Caller, CallerRow>> = {
  anybody: { says: "For everybody.", shows: [], refuses: [] },
  vault: {
    says: "For vaults.",
    shows: ["ingestSecret"],
    refuses: ["UNAUTHENTICATED", ...BY_STORAGE],
  },
  consumer: { says: "For consumers.", shows: ["apiKey", "walletToken"], refuses: CONSUMER },
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
