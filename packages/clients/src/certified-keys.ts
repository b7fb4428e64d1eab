import { type EName, parseEName } from "@dataspace/protocol/ename";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import { LRUCache } from "lru-cache";
import type { RegistryClient } from "./registry-client.ts";
import type { RemoteKeySet } from "./remote-key-set.ts";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/**
 * A public key that the registry certifies for an eName.
 *
 * `publicKey` is the text as the wallet sent it; `point` its 65 bytes, uncompressed.
 */
export interface CertifiedKey {
  readonly publicKey: string;
  readonly point: Uint8Array;
  readonly expiresAtSeconds: number;
}

/**
 * Finds the keys that are certified for an eName now; the list may be empty. With `fresh` the cache is not used.
 *
 * Refuses: UpstreamError `refused` with the status 404 for an eName that the registry, or the vault it names, does not
 * know; any other UpstreamError when one of them does not answer.
 */
export type FindCertifiedKeys = (
  ename: EName,
  options?: { readonly fresh?: boolean },
) => Promise<readonly CertifiedKey[]>;

/** Decides whether an error of `FindCertifiedKeys` means that the eName is unknown, so that a retry is pointless. */
export function isUnknownEName(error: unknown): boolean {
  return error instanceof UpstreamError && error.refusal?.status === 404;
}

/** `guardedFetch` requests vaults, whose addresses others registered; `keySet` is the registry's. */
export interface CertifiedKeysDeps {
  readonly guardedFetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly registry: Pick<RegistryClient, "resolve">;
  readonly keySet: Pick<RemoteKeySet, "verify">;
  /** How long a vault may take to answer; 5 s when absent. */
  readonly vaultTimeoutMs?: number;
}

const MAX_CACHE_MS = 300_000;
const MAX_NAMES = 10_000;
const MAX_ANSWER_BYTES = 1_048_576;
const MAX_CERTIFICATES = 64;

/**
 * Makes the lookup of any eName's keys, also for owners of this vault service. The registry names the vault, the vault
 * lists certificates at `/whois`. A certificate counts only if the registry signed it for this eName and it is in
 * force.
 *
 * Out: keys are cached for 300 s, but never beyond the first certificate's expiry. An empty list and failures are not
 * cached. Concurrent calls for one eName share one lookup.
 * Source: S1 "GET /whois", "Key binding certificate"; decisions I4, V16, E6.
 */
export function createCertifiedKeys(deps: CertifiedKeysDeps): FindCertifiedKeys {
  const cached = new LRUCache<EName, readonly CertifiedKey[]>({
    max: MAX_NAMES,
    ttlResolution: 0,
    perf: { now: deps.clock.nowMs },
  });
  const asked = new Map<EName, Promise<readonly CertifiedKey[]>>();

  async function ask(ename: EName): Promise<readonly CertifiedKey[]> {
    // The age counts from the request: a slow answer may describe the state of that time.
    const askedAtMs = deps.clock.nowMs();
    const keys = await verifyAll(deps, ename, await listCertificates(deps, ename));
    const endsAtMs = Math.min(askedAtMs + MAX_CACHE_MS, ...keys.map((key) => key.expiresAtSeconds * 1000));
    const leftMs = Math.floor(endsAtMs - deps.clock.nowMs());
    if (keys.length > 0 && leftMs > 0) cached.set(ename, keys, { ttl: leftMs });
    else cached.delete(ename);
    return keys;
  }

  return (ename, { fresh = false } = {}) => {
    const known = fresh ? undefined : cached.get(ename);
    if (known !== undefined) return Promise.resolve(known);
    const running = asked.get(ename) ?? ask(ename).finally(() => asked.delete(ename));
    asked.set(ename, running);
    return running;
  };
}

async function listCertificates(deps: CertifiedKeysDeps, ename: EName): Promise<readonly string[]> {
  const address = await resolve(deps, ename);
  if (/[?#]/.test(address.uri))
    throw new UpstreamError("malformed", `The address of the vault of ${ename} has a query.`);
  const answer = await fetchJson(deps.guardedFetch, {
    url: `${address.uri}/whois`,
    headers: { "x-ename": ename },
    maxBytes: MAX_ANSWER_BYTES,
    ...(deps.vaultTimeoutMs === undefined ? {} : { timeoutMs: deps.vaultTimeoutMs }),
  });
  const { dsid, keyBindingCertificates: listed } = (answer ?? {}) as Readonly<Record<string, unknown>>;
  const isAnswer = isFor(ename, dsid) && Array.isArray(listed) && listed.length <= MAX_CERTIFICATES;
  if (!isAnswer || !listed.every((certificate) => typeof certificate === "string")) {
    throw new UpstreamError("malformed", `The vault of ${ename} does not say at /whois which keys are certified.`);
  }
  return listed;
}

async function resolve({ registry }: CertifiedKeysDeps, ename: EName): Promise<{ readonly uri: string }> {
  try {
    const address = await registry.resolve(ename);
    if (address !== undefined) return address;
  } catch (error) {
    // A host in the registry's place that answers 404 to everything has not said that the eName is unknown.
    if (error instanceof UpstreamError && error.refusal?.status === 404) {
      throw new UpstreamError("malformed", "The registry's 404 is not its own.", { cause: error });
    }
    throw error;
  }
  const refusal = { status: 404, code: "UNKNOWN_ENAME", body: undefined };
  throw new UpstreamError("refused", `The registry knows no vault of ${ename}.`, { refusal });
}

function isFor(ename: EName, dsid: unknown): boolean {
  try {
    return typeof dsid === "string" && parseEName(dsid) === ename;
  } catch {
    return false;
  }
}

async function verifyAll(
  deps: CertifiedKeysDeps,
  ename: EName,
  certificates: readonly string[],
): Promise<readonly CertifiedKey[]> {
  const keys = await Promise.all(certificates.map((certificate) => verify(deps, ename, certificate)));
  return keys.filter((key) => key !== undefined);
}

async function verify(deps: CertifiedKeysDeps, ename: EName, certificate: string): Promise<CertifiedKey | undefined> {
  try {
    const { payload } = await deps.keySet.verify(certificate);
    const claims = validateKeyBindingClaims(payload, { ename, nowSeconds: deps.clock.nowMs() / 1000 });
    return { publicKey: claims.publicKey, point: claims.point, expiresAtSeconds: claims.expiresAtSeconds };
  } catch (error) {
    // An invalid certificate proves nothing; one that cannot be checked now is an error instead.
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
