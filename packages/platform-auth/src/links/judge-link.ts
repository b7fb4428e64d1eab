import type { LinkCode, LinkEntry, SubCheck } from "../link-entry.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Check, Link } from "./link.ts";

/** What is needed beside the facts: the end of the time that all links have together, and a log. */
export interface Judging {
  readonly deadline: AbortSignal;
  readonly log: { readonly error: (entry: object, message: string) => void };
}

const HOLDS = "This link holds.";
const ERROR = "The verifier could not judge this link; try again.";

/**
 * Judges one link: each check in order, without what would ask somebody once a check has failed.
 *
 * Out: the link's entry. The first check that does not hold gives its code. A question that is not answered in time does not
 * hold; an error fails the link with `verifier_error`. Refuses: never. Source: S3 "Errors"; decision A1.
 */
export async function judgeLink(link: Link, facts: HandshakeFacts, judging: Judging): Promise<LinkEntry> {
  const checks: SubCheck[] = [];
  let failed: { readonly code: LinkCode; readonly fault: string } | undefined;
  for (const check of link.checks) {
    const isMade = failed === undefined || check.asks === undefined;
    const outcome = isMade ? await holds(check, facts, judging) : false;
    if (outcome !== true) failed ??= outcome === "error" ? { code: "verifier_error", fault: ERROR } : check;
    checks.push({ name: check.name, ok: outcome === true });
  }
  const { id, title, proves } = link;
  const detail = failed?.fault ?? HOLDS;
  return { id, title, proves, ok: failed === undefined, detail, code: failed?.code ?? "ok", checks };
}

async function holds(check: Check, facts: HandshakeFacts, { deadline, log }: Judging): Promise<boolean | "error"> {
  try {
    const outcome = check.holds(facts);
    return check.asks === true ? await untilAborted(Promise.resolve(outcome), deadline) : await outcome;
  } catch (error) {
    log.error({ err: error, check: check.name }, "a check of a handshake failed with an error");
    return "error";
  }
}

function untilAborted(outcome: Promise<boolean>, deadline: AbortSignal): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const late = () => resolve(false);
  if (deadline.aborted) late();
  deadline.addEventListener("abort", late, { once: true });
  return Promise.race([outcome, promise]).finally(() => deadline.removeEventListener("abort", late));
}
