import { createSpentTokens, type SpentTokens, type TokenToSpend } from "@dataspace/service-kit/postgres/spent-tokens";
import { createTransactionDatabase } from "@dataspace/service-kit/postgres/transaction-database";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { loginRefusal } from "../errors.ts";
import type { ClientAct, ManageClients, ManageClientsDeps } from "./manage-clients.ts";

/** The wallet tokens with which developers have changed a client. Source: decision I6. */
export const spentDeveloperTokens: SpentTokens = createSpentTokens("spent_developer_token");

/** Runs one change of a wallet token. Refuses: TOKEN_SPENT, and what `change` refuses; a refused change spends no token. */
export type ChangeOnce = <T>(use: TokenToSpend, change: (manage: ManageClients) => Promise<T>) => Promise<T>;

/** What the changes work with. `manageOn` makes the acts on a database. The reports are those of `ManageClientsDeps`. */
export interface ChangeOnceDeps extends Reports {
  readonly database: Database;
  readonly manageOn: (database: Database, reports: Reports) => ManageClients;
}

type Reports = Pick<ManageClientsDeps, "onAct" | "onWrite">;

/** Makes changes that spend a wallet token in their own transaction. Writes are reported when it has ended, and acts once it is committed. Source: decision I6. */
export function createChangeOnce({ database, manageOn, onAct, onWrite }: ChangeOnceDeps): ChangeOnce {
  return async (use, change) => {
    const acts: ClientAct[] = [];
    const written: string[] = [];
    const reports: Reports = {
      onAct: (act) => void acts.push(act),
      onWrite: (clientId) => void written.push(clientId),
    };
    try {
      const result = await database.transaction(async (transaction) => {
        if (!(await spentDeveloperTokens.spend(transaction, use))) {
          const message = "This wallet token has served its one change. Have the wallet issue a new one.";
          throw loginRefusal("TOKEN_SPENT", message);
        }
        return change(manageOn(createTransactionDatabase(transaction), reports));
      });
      acts.forEach(onAct);
      return result;
    } finally {
      // Not before: until the commit, others read and cache the old row.
      written.forEach(onWrite);
    }
  };
}
