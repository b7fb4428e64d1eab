import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { type EName, isEName } from "@dataspace/protocol/ename";
import { parseUrl } from "@dataspace/protocol/parse-url";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/** Where an eName's vault is reached. */
export interface VaultAddress {
  readonly ename: EName;
  /** The vault's base address, without a trailing slash. */
  readonly uri: string;
  /** The vault instance's identifier. */
  readonly vault: string;
}

/** What anybody may ask the registry. */
export interface RegistryClient {
  /** Finds an eName's vault; undefined when the registry says that it knows none. */
  readonly resolve: (ename: EName) => Promise<VaultAddress | undefined>;
  /** Asks for a token with entropy for one new eName. */
  readonly requestEntropy: () => Promise<string>;
  /** Asks for a legacy platform token, which lives a year. */
  readonly requestPlatformToken: (platform: string) => Promise<string>;
}

/** Where the registry is, and how long it may take to answer (5 s when absent). */
export interface RegistryClientConfig {
  readonly registryUrl: string;
  readonly timeoutMs?: number;
  /** The registry's shared secret, for a holder: its questions are counted apart from those of others at the same address. */
  readonly sharedSecret?: string;
}

/**
 * Makes a client of the registry.
 *
 * Refuses: its calls reject with an UpstreamError; an answer that is not what was asked for is `malformed`.
 * Source: S3 "Registry calls used by the adapter and verifiers"; decision X2.
 */
export function createRegistryClient(deps: { readonly fetch: Fetch }, config: RegistryClientConfig): RegistryClient {
  const headers = config.sharedSecret === undefined ? {} : { authorization: `Bearer ${config.sharedSecret}` };
  const at = (path: string): { url: string; headers: Readonly<Record<string, string>>; timeoutMs?: number } => ({
    url: `${config.registryUrl}${path}`,
    headers,
    ...(config.timeoutMs === undefined ? {} : { timeoutMs: config.timeoutMs }),
  });
  return {
    resolve: (ename) => resolve(deps.fetch, at(`/resolve?dsid=${encodeURIComponent(ename)}`), ename),
    requestEntropy: async () => readToken(await fetchJson(deps.fetch, at("/entropy"))),
    requestPlatformToken: async (platform) =>
      readToken(await fetchJson(deps.fetch, { ...at("/platforms/certification"), method: "POST", body: { platform } })),
  };
}

async function resolve(
  fetch: Fetch,
  request: { readonly url: string },
  ename: EName,
): Promise<VaultAddress | undefined> {
  try {
    return readAddress(await fetchJson(fetch, request), ename);
  } catch (error) {
    // Only the registry's own word: a 404 of anything that stands in its place is no answer about the eName.
    if (error instanceof UpstreamError && error.refusal?.code === "UNKNOWN_ENAME") return undefined;
    throw error;
  }
}

function readAddress(answer: unknown, expected: EName): VaultAddress {
  const { kind, ename, uri, vault } = (answer ?? {}) as Record<string, unknown>;
  const isAddress = kind === "vault" && isEName(ename) && ename === expected && typeof vault === "string";
  if (!isAddress || typeof uri !== "string" || !/^https?:$/.test(parseUrl(uri)?.protocol ?? "")) {
    throw new UpstreamError("malformed", `The registry's answer is not the address of the vault of ${expected}.`);
  }
  return { ename, uri: withoutTrailingSlashes(uri), vault };
}

/**
 * Takes the token out of a registry's answer.
 *
 * Refuses: UpstreamError `malformed`. Source: decision X2.
 */
export function readToken(answer: unknown): string {
  const token = (answer as { token?: unknown } | null | undefined)?.token;
  if (typeof token !== "string" || token === "") {
    throw new UpstreamError("malformed", "The registry's answer holds no token.");
  }
  return token;
}
