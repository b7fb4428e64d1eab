import { type WalletTokenUse, walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { ProvenSession, SessionCredential, VerifySession } from "@dataspace/platform-auth/sessions/verify-session";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { type Consumer, DEV_CONSUMER, findConsumerByKey, findOrAddConsumer } from "../store/consumer-rows.ts";
import { hashApiKey, isApiKey } from "./api-key-text.ts";
import { toStoredClaim } from "./note-claim.ts";

/**
 * The consumer and its credential: an API key, a wallet token, a platform's session, or, in the development stack,
 * none. `tokenUse` is the one writing request of a wallet token or of a session's proof; API keys serve any number.
 */
export interface Identified {
  readonly consumer: Consumer;
  readonly by: "api-key" | "wallet" | "session" | "dev";
  readonly tokenUse: WalletTokenUse | undefined;
}

/**
 * The parts of a request that identify its sender: its headers, what a DPoP proof must be about, and whether it came
 * from this machine.
 */
export interface Presented extends Pick<SessionCredential, "proof" | "method" | "again"> {
  readonly authorization: string | undefined;
  /** Without its query. */
  readonly path: string;
  readonly isLoopback: boolean;
}

/** Identifies the consumer of a request. Refuses: UNAUTHENTICATED, INVALID_TOKEN, REGISTRY_UNAVAILABLE. */
export type IdentifyConsumer = (presented: Presented) => Promise<Identified>;

const CREDENTIAL = /^(Bearer|DPoP) +([A-Za-z0-9._~+/-]+=*) *$/i;
const SESSION_PREFIX = "dss_";

/**
 * Makes the only function that identifies consumers. An invalid credential never counts as none.
 *
 * In: `devConsumer`, whether a call from this machine without a credential is the development stack's own consumer;
 * `publicUrl`, the service's origin, which is the audience of wallet tokens.
 * Source: decisions E9, V2; RFC 6750.
 */
export function createIdentifyConsumer(
  deps: {
    readonly database: Queryable;
    readonly clock: Clock;
    readonly verifyWalletToken: VerifyWalletToken;
    readonly verifySession: VerifySession;
  },
  config: { readonly devConsumer: boolean; readonly publicUrl: () => string },
): IdentifyConsumer {
  return async (presented) => {
    const { authorization, isLoopback } = presented;
    if (authorization === undefined) {
      if (config.devConsumer && isLoopback) return { consumer: DEV_CONSUMER, by: "dev", tokenUse: undefined };
      throw awarenessRefusal(
        "UNAUTHENTICATED",
        "Send an API key or a wallet token of this service as Authorization: Bearer <credential>, or a platform's session.",
      );
    }
    const [, scheme, credential] = CREDENTIAL.exec(authorization) ?? [];
    if (credential === undefined) {
      throw awarenessRefusal("INVALID_TOKEN", "The header Authorization holds no Bearer or DPoP credential.");
    }
    const isDpop = scheme?.toLowerCase() === "dpop";
    if (credential.startsWith(SESSION_PREFIX)) {
      const url = config.publicUrl() + presented.path;
      const shown = { ...presented, url, token: credential, scheme: isDpop ? "DPoP" : "Bearer" } as const;
      return bySession(deps, await deps.verifySession(config.publicUrl(), shown));
    }
    if (isDpop) {
      throw awarenessRefusal("INVALID_TOKEN", "Only a platform's session is sent as DPoP; send this as Bearer.");
    }
    if (isApiKey(credential)) {
      return { consumer: await findByKey(deps.database, credential), by: "api-key", tokenUse: undefined };
    }
    const claims = await deps.verifyWalletToken(credential, config.publicUrl());
    const at = new Date(deps.clock.nowMs()).toISOString();
    const consumer = await findOrAddConsumer(deps.database, claims.ename, at);
    return { consumer, by: "wallet", tokenUse: walletTokenUse(claims) };
  };
}

// What the session proves decides, not what another deployment of the platform has proven since.
async function bySession(
  { database, clock }: { readonly database: Queryable; readonly clock: Clock },
  proven: ProvenSession,
): Promise<Identified> {
  const { proofUse, claim } = proven;
  const consumer = await findOrAddConsumer(database, claim.platform, new Date(clock.nowMs()).toISOString());
  const tokenUse = proofUse && { token: proofUse.id, expiresAt: proofUse.expiresAt };
  return { consumer: { ...consumer, claim: toStoredClaim(proven) }, by: "session", tokenUse };
}

async function findByKey(database: Queryable, key: string): Promise<Consumer> {
  const consumer = await findConsumerByKey(database, hashApiKey(key));
  if (consumer !== undefined) return consumer;
  throw awarenessRefusal("INVALID_TOKEN", "There is no such API key, or it was revoked; make a new one.");
}
