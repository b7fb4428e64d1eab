import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import { hasBearerSecret, presentedBearer } from "@dataspace/service-kit/http/bearer-secret";
import { limitAddresses } from "@dataspace/service-kit/http/rate-limits";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import type { Secret } from "@dataspace/service-kit/secret";
import { registryRefusal } from "../errors.ts";
import type { Registration } from "../names/registration.ts";
import { createRegistrationRows } from "../store/registration-rows.ts";
import { spentRegistryTokens } from "../store/spent-token-rows.ts";
import { unknownEName } from "./names-door.ts";
import { readMembers } from "./read-input.ts";
import { readChange } from "./registration-input.ts";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";

interface AddressDoorDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly verifyOwnerToken: VerifyWalletToken;
}

/** The shared secret, the registry's own address, and the limit for requests without the secret. */
export interface AddressDoorConfig {
  readonly sharedSecret: Secret;
  readonly publicUrl: () => string;
  readonly limits: { readonly anonymous: number };
}

type WalletTokenClaims = Awaited<ReturnType<VerifyWalletToken>>;

const LOOKS_LIKE_JWT = /^[^.]+\.[^.]+\.[^.]+$/;
const NEEDED = "Send the shared secret, or a wallet token of the eName whose aud is this registry's origin.";

/**
 * Serves `PATCH /register`: the address of an eName's vault changes for holders of the shared secret, and for the owner with a wallet
 * token whose `aud` is this registry's origin. The eName itself never changes.
 *
 * Refuses: BAD_REQUEST, UNAUTHENTICATED, INVALID_TOKEN, TOKEN_SPENT, FORBIDDEN, UNKNOWN_ENAME, VAULT_UNAVAILABLE,
 * RATE_LIMITED. Source: decisions V18, X2.
 */
export function addAddressDoor(app: FastifyInstance, deps: AddressDoorDeps, config: AddressDoorConfig): void {
  const { sharedSecret } = config;
  app.register((holders, _options, done) => {
    limitAddresses(holders, { name: "anonymous", requests: config.limits.anonymous, windowSeconds: 60 });
    const claimsOf = new WeakMap<FastifyRequest, WalletTokenClaims>();
    const authenticate = async (request: FastifyRequest, reply: FastifyReply): Promise<void> => {
      if (hasBearerSecret(request, sharedSecret)) return;
      const token = presentedBearer(request);
      if (token === undefined || !LOOKS_LIKE_JWT.test(token)) {
        reply.header("www-authenticate", "Bearer");
        throw registryRefusal("UNAUTHENTICATED", NEEDED);
      }
      claimsOf.set(request, await deps.verifyOwnerToken(token, new URL(config.publicUrl()).origin));
    };
    // Before the body is read, so that nobody without a credential makes the registry read one. Again once it has
    // arrived: a key may be removed, or a token expire, while a body is held back. Source: decision V26.
    holders.addHook("onRequest", authenticate);
    holders.addHook("preHandler", authenticate);
    holders.patch("/register", async (request) => {
      const claims = claimsOf.get(request);
      return claims === undefined ? changeAsHolder(deps, request) : changeAsOwner(deps, request, claims);
    });
    done();
  });
}

async function changeAsHolder({ database, clock }: AddressDoorDeps, request: FastifyRequest): Promise<Registration> {
  const change = readChange(readMembers(request.body));
  const changed = await createRegistrationRows(database).change(change, clock.nowMs());
  if (changed === undefined) throw unknownEName(change.ename);
  return changed;
}

async function changeAsOwner(
  { database, clock }: AddressDoorDeps,
  request: FastifyRequest,
  claims: WalletTokenClaims,
): Promise<Registration> {
  const change = readChange(readMembers(request.body));
  if (claims.ename !== change.ename) throw registryRefusal("FORBIDDEN", `Only ${change.ename} moves its own vault.`);
  if (change.vault !== undefined)
    throw registryRefusal("FORBIDDEN", "Only a holder of the secret changes vault; send uri.");
  return database.transaction(async (transaction) => {
    if (!(await spentRegistryTokens.spend(transaction, walletTokenUse(claims)))) {
      throw registryRefusal("TOKEN_SPENT", "This wallet token has changed an address already; have a new one issued.");
    }
    const changed = await createRegistrationRows(transaction).change(change, clock.nowMs());
    if (changed === undefined) throw unknownEName(change.ename);
    return changed;
  });
}
