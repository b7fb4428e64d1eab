import { createVisitTokens } from "@dataspace/wallet-login/visit-tokens";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { Identified } from "../consumers/identify-consumer.ts";
import { type Consumer, DEV_CONSUMER } from "../store/consumer-rows.ts";
import { addVisit, endVisit, findVisitor } from "../store/visit-rows.ts";
import type { PortalCookie } from "./portal-cookies.ts";
import type { FastifyReply, FastifyRequest } from "fastify";

/**
 * A signed-in visitor, by a wallet or as the development stack's own consumer; each of their forms carries `formToken`.
 */
export interface Visit extends Identified {
  readonly formToken: string;
}

/** The portal's visits, each identified by the token in the browser's cookie. */
export interface Visits {
  /** Begins a visit, and writes its cookie into the answer. */
  readonly begin: (reply: FastifyReply, consumer: Consumer) => Promise<void>;
  readonly find: (request: FastifyRequest) => Promise<Visit | undefined>;
  /** Ends the visit of a request, and deletes its cookie. */
  readonly end: (request: FastifyRequest, reply: FastifyReply) => Promise<void>;
}

/** Makes the visits of the portal; `cookie` holds a visit's token in the browser. Refuses: never. */
export function createVisits({
  database,
  clock,
  cookie,
}: {
  readonly database: Queryable;
  readonly clock: Clock;
  readonly cookie: PortalCookie;
}): Visits {
  const tokens = createVisitTokens({ clock }, { formPurpose: "ds:portal-form:v1" });
  return {
    begin: async (reply, consumer) => {
      const { token, ...visit } = tokens.create();
      await addVisit(database, { ...visit, consumerId: consumer.id });
      cookie.write(reply, token);
    },
    find: async (request) => {
      const token = cookie.read(request);
      if (token === undefined) return undefined;
      const { formToken, ...visit } = tokens.read(token);
      const consumer = await findVisitor(database, visit);
      if (consumer === undefined) return undefined;
      const by = consumer.id === DEV_CONSUMER.id ? "dev" : "wallet";
      return { consumer, by, tokenUse: undefined, formToken };
    },
    end: async (request, reply) => {
      const token = cookie.read(request);
      if (token !== undefined) await endVisit(database, tokens.read(token).tokenHash);
      cookie.clear(reply);
    },
  };
}
