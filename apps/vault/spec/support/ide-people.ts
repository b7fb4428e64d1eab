import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import type { IdePeople } from "../../src/ide/ide-people.ts";
import { createPerson, type Person } from "./people.ts";
import type { TestVault } from "./start-vault.ts";

/** Makes demo people for a vault's IDE; `openAs` gives them vaults, in this order. */
export function createPeople(): {
  readonly idePeople: IdePeople;
  readonly openAs: (vault: TestVault, names: readonly string[]) => Promise<readonly Person[]>;
} {
  const people = new Map<string, Person>();
  return {
    idePeople: {
      list: () => [...people].map(([name, { ename }]) => ({ name, ename })),
      issueToken: async (ename, owner) => {
        const person = [...people.values()].find((one) => one.ename === ename);
        return person && issueWalletToken({ key: person.key, clock: systemClock }, { ename, audience: owner });
      },
    },
    openAs: async (vault, names) => {
      for (const name of names) people.set(name, await createPerson(vault));
      return [...people.values()];
    },
  };
}
