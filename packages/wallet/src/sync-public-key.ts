import { askCertifiedKeys, type CertifiedKeysDeps } from "@dataspace/clients/ask-certified-keys";
import { createRegistryClient, type VaultAddress } from "@dataspace/clients/registry-client";
import { createRemoteKeySet } from "@dataspace/clients/remote-key-set";
import { type Fetch, fetchJson } from "@dataspace/clients/timed-fetch";
import { encodeHex } from "@dataspace/protocol/hex";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import type { EName } from "@dataspace/protocol/ename";
import { askParty } from "./ask-party.ts";
import { createReportingFetch, type ReportExchange } from "./exchange.ts";
import { issueWalletToken } from "./issue-wallet-token.ts";
import { WalletError } from "./wallet-error.ts";
import type { WalletKey } from "./wallet-key.ts";

/** Who authorises a new key: a key that the vault already has, or a recovery code of the vault's operator. */
export type KeyAuthority = { readonly key: Pick<WalletKey, "sign"> } | { readonly recoveryCode: string };

/** Which key to certify for which eName; without `by` it is only looked up. */
export interface KeySync {
  readonly ename: EName;
  readonly publicKey: string;
  readonly by?: KeyAuthority;
}

/** `report` receives each exchange. */
export interface SyncDeps {
  readonly fetch: Fetch;
  readonly clock: { readonly nowMs: () => number };
  readonly report?: ReportExchange;
}

/**
 * Ensures that a vault has a key, certified for the eName: asks `/whois` first, and sends the key only when it is
 * missing.
 *
 * Out: `certified` when the registry already certifies this key, in any spelling; `added` when the vault accepted it.
 * Refuses: KEY_NOT_CERTIFIED when the key is missing and nobody authorises it; REGISTRY_UNAVAILABLE, REGISTRY_REFUSED,
 * VAULT_UNAVAILABLE, VAULT_REFUSED; ProtocolError INVALID_PUBLIC_KEY for an invalid key.
 * Source: S1 "GET /whois", "PATCH /public-key"; decisions I6, I9.
 */
export async function syncPublicKey(
  deps: SyncDeps,
  config: { readonly registryUrl: string },
  { ename, publicKey, by }: KeySync,
): Promise<"certified" | "added"> {
  const fetchFor = createReportingFetch({ fetch: deps.fetch, report: deps.report });
  const registry = createRegistryClient({ fetch: fetchFor("certificates") }, config);
  const address = await askParty("REGISTRY", () => registry.resolve(ename));
  if (address === undefined) {
    const message = `The registry knows no vault of ${ename}. Check the eName and the registry, or provision a vault.`;
    throw new WalletError("REGISTRY_REFUSED", message, { refusal: "UNKNOWN_ENAME" });
  }
  const lookup = { fetch: fetchFor("certificates"), clock: deps.clock, address };
  if (await isCertified(lookup, config, { ename, publicKey })) return "certified";
  if (by === undefined) {
    throw new WalletError(
      "KEY_NOT_CERTIFIED",
      `The vault of ${ename} lists no certificate of this key. Try again in a minute, or add the key from a device whose key the vault has.`,
    );
  }
  await addKey(fetchFor("addKey"), address.uri, { ename, publicKey, bearer: await makeBearer(deps, ename, by) });
  return "added";
}

async function isCertified(
  { fetch, clock, address }: Omit<SyncDeps, "report"> & { readonly address: VaultAddress },
  config: { readonly registryUrl: string },
  { ename, publicKey }: KeySync,
): Promise<boolean> {
  const keySet = createRemoteKeySet({ fetch, clock }, { keySetUrl: `${config.registryUrl}/.well-known/jwks.json` });
  const deps: CertifiedKeysDeps = {
    guardedFetch: fetch,
    clock,
    registry: { resolve: async () => address },
    keySet: { verify: (token) => askParty("REGISTRY", () => keySet.verify(token)) },
  };
  const { point } = decodePublicKey(publicKey);
  const certified = await askParty("VAULT", () => askCertifiedKeys(deps, ename));
  return certified.some((key) => encodeHex(key.point) === encodeHex(point));
}

async function makeBearer(deps: SyncDeps, ename: EName, by: KeyAuthority): Promise<string> {
  if ("recoveryCode" in by) return by.recoveryCode;
  return issueWalletToken({ key: by.key, clock: deps.clock }, { ename, audience: ename });
}

async function addKey(
  fetch: Fetch,
  vaultUrl: string,
  { ename, publicKey, bearer }: { readonly ename: EName; readonly publicKey: string; readonly bearer: string },
): Promise<void> {
  await askParty("VAULT", () =>
    fetchJson(fetch, {
      url: `${vaultUrl}/public-key`,
      method: "PATCH",
      headers: { "x-ename": ename, authorization: `Bearer ${bearer}` },
      body: { publicKey },
    }),
  );
}
