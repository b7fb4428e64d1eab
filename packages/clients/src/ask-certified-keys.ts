import { type EName, parseEName } from "@dataspace/protocol/ename";
import { validateKeyBindingClaims } from "@dataspace/protocol/key-binding-certificate";
import { ProtocolError } from "@dataspace/protocol/protocol-error";
import type { RegistryClient } from "./registry-client.ts";
import type { RemoteKeySet } from "./remote-key-set.ts";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/**
 * A public key that the registry certifies for an eName.
 *
 * `publicKey` is the text as the wallet sent it; `point` its 65 bytes, uncompressed; `certificate` the registry's JWT.
 */
export interface CertifiedKey {
  readonly publicKey: string;
  readonly point: Uint8Array;
  readonly expiresAtSeconds: number;
  readonly certificate: string;
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

const MAX_ANSWER_BYTES = 1_048_576;
const MAX_CERTIFICATES = 64;

/**
 * Asks the registry for an eName's vault, and that vault for its certificates. A certificate counts if the registry signed it for
 * this eName and it is in force. `createCertifiedKeys` does the same and caches the answers.
 *
 * Refuses: as `FindCertifiedKeys`. Source: S1 "GET /whois", "Key binding certificate"; decisions I4, V16, E6.
 */
export async function askCertifiedKeys(deps: CertifiedKeysDeps, ename: EName): Promise<readonly CertifiedKey[]> {
  return verifyAll(deps, ename, await listCertificates(deps, ename));
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
    const { publicKey, point, expiresAtSeconds } = validateKeyBindingClaims(payload, {
      ename,
      nowSeconds: deps.clock.nowMs() / 1000,
    });
    return { publicKey, point, expiresAtSeconds, certificate };
  } catch (error) {
    // An invalid certificate proves nothing; one that cannot be checked now is an error instead.
    if (error instanceof ProtocolError) return undefined;
    throw error;
  }
}
