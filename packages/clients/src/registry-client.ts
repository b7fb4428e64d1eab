import { withoutTrailingSlashes } from "@dataspace/protocol/base-address";
import { type EName, isEName } from "@dataspace/protocol/ename";
import { parseUrl } from "@dataspace/protocol/parse-url";
import { type Fetch, fetchJson } from "./timed-fetch.ts";
import { UpstreamError } from "./upstream-error.ts";

/** The address of an eName's vault. */
export interface VaultAddress {
  readonly ename: EName;
  /** The vault's base address, without a trailing slash. */
  readonly uri: string;
  /** The vault instance's identifier. */
  readonly vault: string;
}

/** The registry's public requests. */
export interface RegistryClient {
  /** Finds an eName's vault; undefined when the registry says that it knows none. */
  readonly resolve: (ename: EName) => Promise<VaultAddress | undefined>;
  /** Requests a token with entropy for one new eName. */
  readonly requestEntropy: () => Promise<string>;
  /** Requests a legacy platform token, which is valid for a year. */
  readonly requestPlatformToken: (platform: string) => Promise<string>;
}

/** The registry's address, and its time limit (5 s when absent). */
export interface RegistryClientConfig {
  readonly registryUrl: string;
  readonly timeoutMs?: number;
  /** The registry's shared secret. With it, requests are counted apart from others of the same address. */
  readonly sharedSecret?: string;
}

/**
 * Makes a client of the registry.
 *
 * Refuses: its calls reject with an UpstreamError; an unexpected answer is `malformed`.
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
    // Only the registry's own code counts: a 404 of another host in its place says nothing about the eName.
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
 * Reads the token from a registry's answer.
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
