import { createSpentTokens, type SpentTokens, type TokenToSpend } from "@dataspace/service-kit/postgres/spent-tokens";
import { createTransactionDatabase } from "@dataspace/service-kit/postgres/transaction-database";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { loginRefusal } from "../errors.ts";
import type { ClientAct, ManageClients } from "./manage-clients.ts";

/** The wallet tokens with which developers have changed a client. Source: decision I6. */
export const spentDeveloperTokens: SpentTokens = createSpentTokens("spent_developer_token");

/** Runs one change of a wallet token. Refuses: TOKEN_SPENT, and what `change` refuses; a refused change spends no token. */
export type ChangeOnce = <T>(use: TokenToSpend, change: (manage: ManageClients) => Promise<T>) => Promise<T>;

/** `manageOn` makes the acts on a database, and reports each to `onAct`. */
export interface ChangeOnceDeps {
  readonly database: Database;
  readonly manageOn: (database: Database, onAct: (act: ClientAct) => void) => ManageClients;
  readonly onAct: (act: ClientAct) => void;
}

/** Makes changes that spend a wallet token in their own transaction. An act is reported once it is committed. Source: decision I6. */
export function createChangeOnce({ database, manageOn, onAct }: ChangeOnceDeps): ChangeOnce {
  return async (use, change) => {
    const acts: ClientAct[] = [];
    const result = await database.transaction(async (transaction) => {
      if (!(await spentDeveloperTokens.spend(transaction, use))) {
        const message = "This wallet token has served its one change. Have the wallet issue a new one.";
        throw loginRefusal("TOKEN_SPENT", message);
      }
      return change(manageOn(createTransactionDatabase(transaction), (act) => void acts.push(act)));
    });
    acts.forEach(onAct);
    return result;
  };
}
