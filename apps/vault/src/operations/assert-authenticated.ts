import type { Caller } from "../caller/caller.ts";
import { refusal } from "../errors.ts";

/** Refuses a caller without a credential: UNAUTHENTICATED. Source: decisions I2, V2. */
export function assertAuthenticated(caller: Caller): void {
  if (caller.principal.kind !== "anonymous") return;
  throw refusal(
    "UNAUTHENTICATED",
    "This needs a credential; send Authorization: Bearer with a wallet or platform token.",
  );
}
