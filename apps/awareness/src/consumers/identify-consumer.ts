import { type WalletTokenUse, walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import { awarenessRefusal } from "../errors.ts";
import { type Consumer, DEV_CONSUMER, findConsumerByKey, findOrAddConsumer } from "../store/consumer-rows.ts";
import { hashApiKey, isApiKey } from "./api-key-text.ts";

/**
 * The consumer and its credential: an API key, a wallet token, or, in the development stack, none. `tokenUse` is the
 * one writing request of a wallet token; other credentials serve any number.
 */
export interface Identified {
  readonly consumer: Consumer;
  readonly by: "api-key" | "wallet" | "dev";
  readonly tokenUse: WalletTokenUse | undefined;
}

/** The parts of a request that identify its sender: its Authorization header, and whether it came from this machine. */
export interface Presented {
  readonly authorization: string | undefined;
  readonly isLoopback: boolean;
}

/** Identifies the consumer of a request. Refuses: UNAUTHENTICATED, INVALID_TOKEN, REGISTRY_UNAVAILABLE. */
export type IdentifyConsumer = (presented: Presented) => Promise<Identified>;

const BEARER = /^Bearer +([A-Za-z0-9._~+/-]+=*) *$/i;

/**
 * Makes the only function that identifies consumers. An invalid credential never counts as none.
 *
 * In: `devConsumer`, whether a call from this machine without a credential is the development stack's own consumer;
 * `publicUrl`, the service's origin, which is the audience of wallet tokens.
 * Source: decisions E9, V2; RFC 6750.
 */
export function createIdentifyConsumer(
  deps: { readonly database: Queryable; readonly clock: Clock; readonly verifyWalletToken: VerifyWalletToken },
  config: { readonly devConsumer: boolean; readonly publicUrl: () => string },
): IdentifyConsumer {
  return async ({ authorization, isLoopback }) => {
    if (authorization === undefined) {
      if (config.devConsumer && isLoopback) return { consumer: DEV_CONSUMER, by: "dev", tokenUse: undefined };
      throw awarenessRefusal(
        "UNAUTHENTICATED",
        "Send an API key or a wallet token of this service as Authorization: Bearer <credential>.",
      );
    }
    const credential = BEARER.exec(authorization)?.[1];
    if (credential === undefined) {
      throw awarenessRefusal("INVALID_TOKEN", "The header Authorization holds no Bearer credential.");
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

async function findByKey(database: Queryable, key: string): Promise<Consumer> {
  const consumer = await findConsumerByKey(database, hashApiKey(key));
  if (consumer !== undefined) return consumer;
  throw awarenessRefusal("INVALID_TOKEN", "There is no such API key, or it was revoked; make a new one.");
}
