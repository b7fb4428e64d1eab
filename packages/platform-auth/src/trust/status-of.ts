import { UpstreamError } from "@dataspace/clients/upstream-error";
import { parseCompactJws } from "@dataspace/protocol/compact-jws";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { LRUCache } from "lru-cache";
import { decodeStatusList, STATUS_LIST_TYP } from "../status/status-list.ts";
import type { Trust } from "./trust.ts";

/** The status of a certificate. */
export type CertificateStatus = "valid" | "revoked" | "unavailable";

/** Where a certificate's status stands, by whom, and the list that came with the evidence. */
export interface StatusQuestion {
  readonly issuer: string;
  readonly uri: string;
  readonly idx: number;
  readonly stapled: string | undefined;
}

/** Finds the status of a certificate. Refuses: never; `unavailable` when no list is to be had that is young enough. */
export type StatusOf = (question: StatusQuestion) => Promise<CertificateStatus>;

/** What is needed to find a status. */
export interface StatusDeps {
  readonly clock: { readonly nowMs: () => number };
  readonly trust: Pick<Trust, "verifyIssuerToken" | "fetchStatusToken">;
  readonly log: { readonly warn: (entry: object, message: string) => void };
}

/** A verified list; times are milliseconds since the epoch. */
interface StatusList {
  readonly issuedAtMs: number;
  /** Until when it is used without asking for a newer one. */
  readonly freshUntilMs: number;
  readonly statusAt: (idx: number) => number | undefined;
}

/** A list as it was signed. */
type SignedList = Omit<StatusList, "freshUntilMs">;

const FRESH_MS = 300_000;
/** How long a question waits for a newer list where a usable one is known. */
const KNOWN_WAIT_MS = 1_000;
const USABLE_MS = 86_400_000;
const SKEW_MS = 60_000;
const RETRY_MS = 30_000;
const MOST_LISTS = 64;
const MAX_TOKEN_BYTES = 65_536;

/**
 * Makes the look-up of certificates' status. A list is fetched at most every 300 s, and every 30 s while its issuer does not
 * answer; a list that came with the evidence is taken while it is younger than 300 s. When none is fresh and none can be
 * fetched, the youngest known counts until it is 24 h old. An issuer that does not answer holds nobody up for longer than
 * a second while a list of it is known.
 *
 * Source: draft-ietf-oauth-status-list; decision A1.
 */
export function createStatusOf(deps: StatusDeps): StatusOf {
  const cached = new LRUCache<string, StatusList>({ max: MOST_LISTS });
  const triedAtMs = new LRUCache<string, number>({ max: MOST_LISTS });
  const running = new Map<string, Promise<void>>();
  const nowMs = deps.clock.nowMs;
  // The one signed last counts, whichever way it came.
  function keep(key: string, list: SignedList | undefined, freshFromMs: number): void {
    if (list === undefined || list.issuedAtMs < (cached.get(key)?.issuedAtMs ?? 0)) return;
    const freshUntilMs = Math.max(freshFromMs + FRESH_MS, cached.get(key)?.freshUntilMs ?? 0);
    cached.set(key, { ...list, freshUntilMs });
  }
  async function fetchNow(key: string, question: StatusQuestion): Promise<void> {
    const askedAtMs = nowMs();
    triedAtMs.set(key, askedAtMs);
    try {
      const list = await readList(deps, question, await deps.trust.fetchStatusToken(question.uri));
      // A shared cache on the way may have answered: the list is as old as its signature.
      keep(key, list, Math.min(askedAtMs, list?.issuedAtMs ?? askedAtMs));
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      deps.log.warn({ err: error }, "a status list is not available");
    }
  }
  async function refresh(key: string, question: StatusQuestion): Promise<void> {
    if ((cached.get(key)?.freshUntilMs ?? 0) > nowMs()) return;
    const mayTry = nowMs() - (triedAtMs.get(key) ?? Number.NEGATIVE_INFINITY) >= RETRY_MS;
    if (!mayTry && !running.has(key)) return;
    const asking = running.get(key) ?? fetchNow(key, question).finally(() => running.delete(key));
    running.set(key, asking);
    await (isUsable(cached.get(key), nowMs()) ? withinMs(KNOWN_WAIT_MS, asking) : asking);
  }
  return async (question) => {
    const key = `${question.issuer} ${question.uri}`;
    if (question.stapled !== undefined) {
      const stapled = await readList(deps, question, question.stapled);
      const knownAtMs = cached.get(key)?.issuedAtMs ?? 0;
      // Times are whole seconds. Of two lists of one second the one that revokes is the later one, for nothing undoes that.
      const isSameSecond = stapled?.issuedAtMs === knownAtMs && stapled.statusAt(question.idx) !== 0;
      if ((stapled?.issuedAtMs ?? 0) > knownAtMs || isSameSecond) keep(key, stapled, stapled?.issuedAtMs ?? 0);
    }
    await refresh(key, question);
    const list = cached.get(key);
    const status = isUsable(list, nowMs()) ? list.statusAt(question.idx) : undefined;
    if (status === undefined) return "unavailable";
    return status === 0 ? "valid" : "revoked";
  };
}

function isUsable(list: StatusList | undefined, nowMs: number): list is StatusList {
  return list !== undefined && nowMs - list.issuedAtMs < USABLE_MS;
}

async function withinMs(timeMs: number, work: Promise<void>): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, timeMs);
  await Promise.race([work, promise]).finally(() => clearTimeout(timer));
}

// A list is the issuer's own, for this address, and not from the future; whatever else counts as no list.
async function readList(
  { trust, clock }: StatusDeps,
  { issuer, uri }: StatusQuestion,
  text: string,
): Promise<SignedList | undefined> {
  try {
    const { header, payload } = await trust.verifyIssuerToken(issuer, parseCompactJws(text.trim(), MAX_TOKEN_BYTES));
    const { sub, iat, exp } = payload;
    const statusAt = decodeStatusList(payload["status_list"]);
    if (header.typ !== STATUS_LIST_TYP || sub !== uri || typeof iat !== "number" || statusAt === undefined)
      return undefined;
    const nowMs = clock.nowMs();
    const hasEnded = typeof exp === "number" && exp * 1000 <= nowMs - SKEW_MS;
    return hasEnded || iat * 1000 > nowMs + SKEW_MS ? undefined : { issuedAtMs: iat * 1000, statusAt };
  } catch (error) {
    if (error instanceof ProtocolError || error instanceof UpstreamError) return undefined;
    throw error;
  }
}
