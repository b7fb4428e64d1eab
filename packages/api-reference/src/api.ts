import type { JsonSchemas } from "./json-schemas.ts";
import type { PathItem } from "./open-api.ts";
import type { OperationGroup } from "./operation.ts";
import type { z } from "zod";

/** A variable of the examples, and the shell command that prints its value beside a development stack. */
export interface ShellVariable {
  readonly name: string;
  readonly command: string;
}

/** A kind of credential, sent as `Authorization: Bearer` unless it has another scheme. Without a variable the examples do not send it. */
export interface Credential {
  readonly description: string;
  readonly scheme?: "bearer" | "dpop";
  readonly bearerFormat?: string;
  readonly variable?: ShellVariable;
}

/** Who may call an operation: which credentials prove it, and which codes refuse it. */
export interface CallerRow {
  readonly says: string;
  readonly shows: readonly string[];
  readonly refuses: readonly string[];
  /** Whether its wallet token is spent by a request that writes. */
  readonly spendsToken?: boolean;
  /** Whether a 401 has the header `WWW-Authenticate`. */
  readonly isChallenged?: boolean;
}

/** A row of a service's closed table of codes. */
export interface ErrorRow {
  readonly status: number;
  readonly when: string;
}

/** What a service's reference is made from. */
export interface Api {
  /** `about` is paragraphs, with code between backticks. */
  readonly info: { readonly title: string; readonly summary: string; readonly about: string };
  readonly credentials: Readonly<Record<string, Credential>>;
  readonly callers: Readonly<Record<string, CallerRow>>;
  readonly errors: Readonly<Record<string, ErrorRow>>;
  readonly groups: readonly OperationGroup[];
  readonly more?: ApiExtras;
}

/** What only some services have: webhooks that they send, and parameters that examples fill from a variable, by their names. */
export interface ApiExtras {
  readonly webhooks?: {
    readonly says: string;
    readonly create: (schemas: JsonSchemas) => Readonly<Record<string, PathItem>>;
  };
  /** Members of a refusal beside `error`. */
  readonly refusalMembers?: Readonly<Record<string, z.ZodType>>;
  readonly variables?: Readonly<Record<string, ShellVariable>>;
}
