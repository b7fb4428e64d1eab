import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { importWalletKey } from "@dataspace/wallet/wallet-key";
import type { Clock } from "@dataspace/service-kit/clock";
import type { VaultServerDeps } from "@dataspace/vault/server";
import { readDemoIdentities } from "../read-demo-identities.ts";
import type { Environment } from "../service.ts";

type IdePeople = NonNullable<VaultServerDeps["idePeople"]>;

/**
 * The demo people for the vault's IDE, with tokens signed by their wallet keys. They are read at each use, since the
 * stack creates them after its start. Refuses: never. Source: decision P5 (seeded with demo identities).
 */
export function createIdePeople(deps: { readonly clock: Clock; readonly env: Environment }): IdePeople {
  const read = () => readDemoIdentities(deps.env["DS_DATA_DIR"] ?? "") ?? [];
  return {
    list: () => read().map(({ name, ename }) => ({ name, ename })),
    issueToken: async (person, owner) => {
      const identity = read().find(({ ename }) => ename === person);
      if (identity === undefined) return undefined;
      const key = await importWalletKey(identity.privateKey);
      return issueWalletToken({ key, clock: deps.clock }, { ename: person, audience: owner });
    },
  };
}
