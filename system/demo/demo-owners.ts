import { createRegistryClient } from "@dataspace/clients/registry-client";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { EName } from "@dataspace/protocol/ename";
import type { VaultClient } from "@dataspace/vault-client/vault-client";
import { createOwner } from "../create-owner.ts";
import { openOwnerVault } from "../open-owner-vault.ts";
import type { DataSpace } from "./find-data-space.ts";
import type { GraphQLConnection } from "./graphql-connection.ts";
import type { VaultAccess } from "./write-records.ts";

/** The three owners of the demo: two vaults that a platform fills, and one of a person with a wallet. */
export interface DemoOwners {
  readonly countries: VaultAccess;
  readonly cities: VaultAccess;
  readonly person: VaultClient;
}

const PLATFORM = "https://atlas.demo.invalid";
const PROBE = "{ metaEnvelopes(first: 1) { edges { cursor } } }";

/**
 * Makes three new owners through the registry and the provisioner.
 *
 * Refuses: UpstreamError, with the registry's or the provisioner's refusal. Source: S1 "POST /provision".
 */
export async function createDemoOwners(space: DataSpace, connection: GraphQLConnection): Promise<DemoOwners> {
  const key = await createWalletKey();
  const [countries, cities, owner] = await Promise.all([
    createOwner(space, undefined),
    createOwner(space, undefined),
    createOwner(space, key.publicKey),
  ]);
  const token = await findToken(space, connection, cities);
  return {
    countries: { owner: countries, token },
    cities: { owner: cities, token },
    person: openOwnerVault(space, { ename: owner, key }),
  };
}

/** In header mode nothing more than X-ENAME is sent; otherwise a platform token of the registry. */
async function findToken(space: DataSpace, connection: GraphQLConnection, owner: EName): Promise<string | undefined> {
  try {
    await connection.ask({ owner, query: PROBE });
    return undefined;
  } catch {
    return await createRegistryClient({ fetch }, { registryUrl: space.registryUrl }).requestPlatformToken(PLATFORM);
  }
}
