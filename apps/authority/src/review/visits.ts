import { createVisitTokens } from "@dataspace/wallet-login/visit-tokens";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { addVisit, endVisit, findVisitor } from "../store/visit-rows.ts";

/** A signed-in reviewer. `tokenHash` identifies the visit; each of its forms carries `formToken`. */
export interface Visitor {
  readonly ename: EName;
  readonly tokenHash: Buffer;
  readonly formToken: string;
}

/** The visits of reviewers, identified by the token in the browser's cookie. */
export interface Visits {
  /** Out: the token. */
  readonly begin: (ename: EName) => Promise<string>;
  readonly find: (token: string) => Promise<Visitor | undefined>;
  readonly end: (token: string) => Promise<void>;
}

/** Makes the visits of reviewers. Refuses: never. */
export function createVisits({ database, clock }: { readonly database: Database; readonly clock: Clock }): Visits {
  const tokens = createVisitTokens({ clock }, { formPurpose: "ds:review-form:v1" });
  return {
    begin: async (ename) => {
      const { token, ...visit } = tokens.create();
      await addVisit(database, { ...visit, ename });
      return token;
    },
    find: async (token) => {
      const { formToken, ...visit } = tokens.read(token);
      const ename = await findVisitor(database, visit);
      return ename && { ename, tokenHash: visit.tokenHash, formToken };
    },
    end: (token) => endVisit(database, tokens.read(token).tokenHash),
  };
}
