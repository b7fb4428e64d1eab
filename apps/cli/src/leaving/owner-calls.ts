import { readFile } from "node:fs/promises";
import { type Fetch, fetchJson, type TimedRequest } from "@dataspace/clients/timed-fetch";
import { UpstreamError } from "@dataspace/clients/upstream-error";
import { StartupError } from "@dataspace/service-kit/startup-error";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { importNodeCryptoKey } from "@dataspace/wallet/node-crypto-key";
import type { EName } from "@dataspace/protocol/ename";
import type { PrivateJwk, WalletKey } from "@dataspace/wallet/wallet-key";

/** The requests of one owner, each with a fresh wallet token. */
export interface OwnerCalls {
  /** Sends a request to a vault. In: its base address, and method and path such as `POST /move`. */
  readonly call: <Answer>(base: string, what: string, body?: unknown) => Promise<Answer>;
  /** Downloads the owner's archive from a vault, part by part. */
  readonly download: (base: string) => AsyncGenerator<Uint8Array>;
  /** Changes the address of the owner's vault at the registry. */
  readonly changeAddress: (registryUrl: string, uri: string) => Promise<void>;
}

interface OwnerCallsDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly key: WalletKey;
}

const ANSWER_MS = 30_000;
/** The comparison of an import reads all of it again. */
const COMPARE_MS = 30 * 60_000;

/** Makes the requests of an owner who has the wallet's key at hand. Refuses: its calls reject with UpstreamError. */
export function createOwnerCalls(deps: OwnerCallsDeps, ename: EName): OwnerCalls {
  const token = (audience: string) => issueWalletToken(deps, { ename, audience });
  // A token names the one place that it is for, so that neither host of a move can use it at the other.
  const headers = async (base: string) => ({
    "x-ename": ename,
    authorization: `Bearer ${await token(new URL(base).origin)}`,
  });
  return {
    call: async <Answer>(base: string, what: string, body?: unknown) => {
      const [method, path] = what.split(" ") as [NonNullable<TimedRequest["method"]>, string];
      const timeoutMs = path === "/import/finish" ? COMPARE_MS : ANSWER_MS;
      const sent = body === undefined ? {} : { body };
      const request = { url: `${base}${path}`, method, headers: await headers(base), timeoutMs, ...sent };
      return (await fetchJson(deps.fetch, request)) as Answer;
    },
    download: (base) => download(deps.fetch, base, headers),
    changeAddress: async (registryUrl, uri) => {
      const authorization = `Bearer ${await token(new URL(registryUrl).origin)}`;
      const url = `${registryUrl}/register`;
      await fetchJson(deps.fetch, { url, method: "PATCH", headers: { authorization }, body: { ename, uri } });
    },
  };
}

async function* download(
  fetch: Fetch,
  base: string,
  headers: (base: string) => Promise<Readonly<Record<string, string>>>,
): AsyncGenerator<Uint8Array> {
  const url = `${base}/export`;
  const response = await fetch(url, { headers: await headers(base), redirect: "error" }).catch((cause: Error) => {
    throw new UpstreamError("unreachable", `GET ${url} was not answered.`, { cause });
  });
  if (!response.ok || response.body === null) {
    const body = (await response.json().catch(() => undefined)) as { error?: { code?: string } } | undefined;
    const refusal = { status: response.status, code: body?.error?.code, body };
    throw new UpstreamError("refused", `GET ${url} was refused with ${response.status}.`, { refusal });
  }
  yield* response.body as unknown as AsyncIterable<Uint8Array>;
}

/** Reads the owner's private key, a JWK. Refuses: StartupError 78. */
export async function readWalletKey(file: string): Promise<WalletKey> {
  try {
    return importNodeCryptoKey(JSON.parse(await readFile(file, "utf8")) as PrivateJwk);
  } catch (error) {
    throw new StartupError(`--wallet-key: ${file} is not a private P-256 key as JWK (${(error as Error).message}).`);
  }
}
