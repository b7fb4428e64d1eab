import type { z } from "zod";

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

/** One route in the reference. `Code` is a code of the service's table, `Caller` a kind of caller. */
export interface Operation<Code extends string = string, Caller extends string = string> {
  readonly id: string;
  readonly method: "get" | "head" | "post" | "put" | "patch" | "delete";
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
  readonly refuses: readonly Code[];
}

/** Operations on one subject, and their named schemas. */
export interface OperationGroup<Code extends string = string, Caller extends string = string> {
  readonly name: string;
  readonly says: string;
  readonly schemas: Readonly<Record<string, z.ZodType>>;
  readonly operations: readonly Operation<Code, Caller>[];
}
