import type { LinkCode, LinkEntry, SubCheck } from "../link-entry.ts";
import type { HandshakeFacts } from "./handshake-facts.ts";
import type { Check, Link } from "./link.ts";

/** What is needed beside the facts: a log, and a promise that fulfils with false when the time of all links together ends. */
export interface Judging {
  readonly deadline: Promise<false>;
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
    const made = isMade ? holds(check, facts, judging) : false;
    const outcome = typeof made === "object" ? await made : made;
    if (outcome !== true) failed ??= outcome === "error" ? { code: "verifier_error", fault: ERROR } : check;
    checks.push({ name: check.name, ok: outcome === true });
  }
  const { id, title, proves } = link;
  const detail = failed?.fault ?? HOLDS;
  return { id, title, proves, ok: failed === undefined, detail, code: failed?.code ?? "ok", checks };
}

type Outcome = boolean | "error";

// Most checks need no answer of anybody, so they take no turn of the event loop.
function holds(check: Check, facts: HandshakeFacts, judging: Judging): Outcome | Promise<Outcome> {
  try {
    const outcome = check.holds(facts);
    return typeof outcome === "boolean" ? outcome : settle(check, outcome, judging);
  } catch (error) {
    return toError(check, error, judging);
  }
}

async function settle(check: Check, outcome: Promise<boolean>, judging: Judging): Promise<Outcome> {
  try {
    return await (check.asks === true ? Promise.race([outcome, judging.deadline]) : outcome);
  } catch (error) {
    return toError(check, error, judging);
  }
}

function toError({ name }: Check, error: unknown, { log }: Judging): "error" {
  log.error({ err: error, check: name }, "a check of a handshake failed with an error");
  return "error";
}
