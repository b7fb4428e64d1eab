import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { WalletTokenUse } from "@dataspace/protocol/wallet-token";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { invalidToken, readBearerToken } from "../caller/bearer-token.ts";
import { readOwner } from "../caller/read-ename-header.ts";
import { refusal } from "../errors.ts";
import { spendToken } from "../store/key-rows.ts";
import type { LimitCaller } from "./caller-limits.ts";
import type { FastifyInstance, FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyRequest {
    /** The owner whose wallet token the request carries, and the token's one use. */
    byOwner: OwnerRequest | undefined;
  }
}

/** The owner who sends a request. `spend` uses up the token within the transaction of a write. */
export interface OwnerRequest {
  readonly owner: EName;
  readonly within: (transaction: Queryable) => Promise<void>;
}

/** What the check of an owner's token needs. */
export interface OwnerRequestDeps {
  readonly verifyWalletToken: VerifyWalletToken;
  readonly limitCaller: LimitCaller;
  /** This vault's own address. */
  readonly place: () => string;
}

const NEEDED =
  "Send a wallet token of the owner whose aud is this vault's origin, as Authorization: Bearer <token>; nothing else suffices here.";

/**
 * Makes routes that serve the owner alone: a wallet token of the addressed eName, checked on the headers and again when
 * the body has arrived. It finds no vault: the routes do, in whatever state it is.
 *
 * The token's `aud` is this vault's own origin. During a move both hosts receive tokens, and neither may use one at the other.
 *
 * Refuses: MISSING_ENAME, INVALID_ENAME, UNAUTHENTICATED, INVALID_TOKEN, RATE_LIMITED. Source: decisions I4, V18, V26.
 */
export function forOwnerAlone(
  app: FastifyInstance,
  deps: OwnerRequestDeps,
  mount: (owned: FastifyInstance) => void,
): void {
  if (!app.hasRequestDecorator("byOwner")) app.decorateRequest("byOwner", undefined);
  app.register((owned, _options, done) => {
    owned.addHook("onRequest", async (request) => {
      const byOwner = await identifyOwner(deps, request);
      const { owner } = byOwner;
      await deps.limitCaller(request, { owner, credential: "wallet-token", subject: owner, platform: null });
      request.byOwner = byOwner;
    });
    owned.addHook("preHandler", async (request) => {
      request.byOwner = await identifyOwner(deps, request);
    });
    mount(owned);
    done();
  });
}

/** The owner of a request that `forOwnerAlone` admitted. */
export function ownerOf(request: FastifyRequest): OwnerRequest {
  return request.byOwner as OwnerRequest;
}

async function identifyOwner(
  { verifyWalletToken, place }: OwnerRequestDeps,
  request: FastifyRequest,
): Promise<OwnerRequest> {
  const owner = readOwner(request.headers["x-ename"]);
  const bearer = readBearerToken(request.headers.authorization);
  if (bearer === undefined) throw refusal("UNAUTHENTICATED", NEEDED, "Authorization");
  if (bearer.kind !== "wallet") throw invalidToken(NEEDED);
  const claims = await verifyWalletToken(bearer.jws, new URL(place()).origin);
  if (claims.ename !== owner) throw refusal("FORBIDDEN", NEEDED, "Authorization");
  const use = walletTokenUse(claims);
  return { owner, within: (transaction) => spend(transaction, owner, use) };
}

async function spend(transaction: Queryable, owner: EName, use: WalletTokenUse): Promise<void> {
  if (await spendToken(transaction, { owner, ...use })) return;
  const message = "This wallet token has served its one writing request; have the wallet issue a new one.";
  throw refusal("TOKEN_SPENT", message, "Authorization");
}
