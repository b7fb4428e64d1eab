import type { TokenBinding } from "../evidence.ts";
import { type Members, toMembers } from "../reading/read-members.ts";

/** The body of POST /pp-auth/verify, its members judged no further than their JSON types. */
export interface PresentedHandshake {
  readonly challenge: Members;
  readonly evidence: Members;
  readonly signature: string;
  readonly binding: TokenBinding;
}

const MAX_DEPTH = 16;

/**
 * Reads the body of POST /pp-auth/verify.
 *
 * Out: what it holds, or why it is refused. A `tokenBinding` that is not `none` is `dpop`.
 * Refuses: never. Source: decision A1.
 */
export function readHandshakeRequest(body: unknown): PresentedHandshake | { readonly fault: string } {
  const members = toMembers(body);
  if (members === undefined) return { fault: "The body must be a JSON object." };
  if (isDeeperThan(members, MAX_DEPTH)) return { fault: `The body must not be nested deeper than ${MAX_DEPTH}.` };
  const challenge = toMembers(members["challenge"]);
  const evidence = toMembers(members["evidence"]);
  const { signature, tokenBinding } = members;
  if (challenge === undefined || evidence === undefined || typeof signature !== "string") {
    return { fault: "The body needs challenge and evidence, which are objects, and signature, which is text." };
  }
  return { challenge, evidence, signature, binding: tokenBinding === "none" ? "none" : "dpop" };
}

// Level by level: recursion would follow a hostile body as deep as it goes.
function isDeeperThan(value: object, depth: number): boolean {
  let level: readonly object[] = [value];
  for (let at = 1; level.length > 0; at += 1) {
    if (at > depth) return true;
    level = level.flatMap((item) => Object.values(item).filter(isObject));
  }
  return false;
}

function isObject(value: unknown): value is object {
  return typeof value === "object" && value !== null;
}
