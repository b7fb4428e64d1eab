import type { LinkCode, LinkId } from "../link-entry.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";

/** One step of a link: what it is called, and what is reported when it does not hold. */
export interface Check {
  readonly name: string;
  readonly code: Exclude<LinkCode, "ok">;
  /** What is wrong when the check does not hold, as a sentence. */
  readonly fault: string;
  /** Whether it asks somebody else; then it is made only when every check before it holds. */
  readonly asks?: true;
  readonly holds: (facts: HandshakeFacts) => boolean | Promise<boolean>;
}

/** One link of the chain of trust: what it establishes, and its checks in order. */
export interface Link {
  readonly id: LinkId;
  readonly title: string;
  readonly proves: string;
  readonly checks: readonly Check[];
}
