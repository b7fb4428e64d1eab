import { createVisitTokens } from "@dataspace/wallet-login/visit-tokens";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";
import { addVisit, endVisit, findVisitor } from "../store/visit-rows.ts";

/**
 * A signed-in visitor, by a wallet or as the development stack's own consumer; each of their forms carries `formToken`.
 */
export interface Visit extends Identified {
  readonly formToken: string;
}

/** The portal's visits, identified by the token in the browser's cookie. */
export interface Visits {
  /** Out: the token. */
  readonly begin: (consumer: Consumer) => Promise<string>;
  readonly find: (token: string) => Promise<Visit | undefined>;
  readonly end: (token: string) => Promise<void>;
}

/** Makes the visits of the portal. Refuses: never. */
export function createVisits({ database, clock }: { readonly database: Queryable; readonly clock: Clock }): Visits {
  const tokens = createVisitTokens({ clock }, { formPurpose: "ds:portal-form:v1" });
  return {
    begin: async (consumer) => {
      const { token, ...visit } = tokens.create();
      await addVisit(database, { ...visit, consumerId: consumer.id });
      return token;
    },
    find: async (token) => {
      const { formToken, ...visit } = tokens.read(token);
      const consumer = await findVisitor(database, visit);
      if (consumer === undefined) return undefined;
      const by = consumer.id === DEV_CONSUMER.id ? "dev" : "wallet";
      return { consumer, by, tokenUse: undefined, formToken };
    },
    end: (token) => endVisit(database, tokens.read(token).tokenHash),
  };
}
