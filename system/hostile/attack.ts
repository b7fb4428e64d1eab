import type { CallerName, Operation } from "./operation.ts";
import type { RawRequest } from "./raw-http.ts";

/** One request to send, its caller, and what is hostile about it. */
export interface Attack {
  readonly operation: Operation;
  /** Begins with the operation's name. */
  readonly name: string;
  readonly caller: CallerName;
  readonly request: RawRequest;
}
