import { type WalletTokenUse, walletTokenUse } from "@dataspace/protocol/wallet-token";
import { hashOneTimeCode } from "@dataspace/service-kit/one-time-code";
import { isTextOf, type Secret } from "@dataspace/service-kit/secret";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/postgres/database";
import { type BearerToken, invalidToken, readBearerToken } from "../caller/bearer-token.ts";
import { refusal } from "../errors.ts";
import { isGoodRecoveryCode } from "../store/recovery-code-rows.ts";
import { RECOVERY_CODE_PREFIX } from "./recovery-codes.ts";

/** The dependencies of a key change. `serviceToken` is the provisioner's, where one is configured. */
export interface KeyChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly verifyWalletToken: VerifyWalletToken;
  readonly serviceToken: Secret | undefined;
}

/** The owner whose keys are to change, and the credential of the request. */
export interface KeyChangeRequest {
  readonly owner: EName;
  readonly authorization: string | undefined;
}

/** The right to change an owner's keys, by its proof; the last two only add a key. Source: decision I6. */
export type KeyChangeRight = { readonly owner: EName } & (
  | ({ readonly by: "wallet-token" } & WalletTokenUse)
  | { readonly by: "service-token" }
  | { readonly by: "recovery-code"; readonly codeHash: Buffer }
);

const NOT_ACCEPTED = "Keys change with a wallet token that a key in force of the owner has signed.";

/**
 * Finds the right to add a key: a wallet token of the owner, the provisioner's service token (while the vault has no
 * key), or an operator's recovery code. A platform token never suffices, since anybody can have one.
 *
 * Refuses: UNAUTHENTICATED, INVALID_TOKEN (401). Source: S1 "Bearer token"; decisions I4, I6.
 */
export async function authorizeKeyAddition(deps: KeyChangeDeps, request: KeyChangeRequest): Promise<KeyChangeRight> {
  const bearer = requireBearer(request);
  if (bearer.kind === "wallet") return byWallet(deps, request.owner, bearer);
  if (bearer.kind === "opaque" && bearer.text.startsWith(RECOVERY_CODE_PREFIX)) {
    return byRecoveryCode(deps, request.owner, bearer.text);
  }
  const { serviceToken } = deps;
  if (bearer.kind === "opaque" && serviceToken !== undefined && isTextOf(serviceToken, bearer.text)) {
    return { owner: request.owner, by: "service-token" };
  }
  throw invalidToken(NOT_ACCEPTED);
}

/**
 * Finds the right to remove a key, which only a wallet token of the owner gives.
 *
 * Refuses: UNAUTHENTICATED, INVALID_TOKEN (401). Source: decision I6.
 */
export async function authorizeKeyRemoval(deps: KeyChangeDeps, request: KeyChangeRequest): Promise<KeyChangeRight> {
  const bearer = requireBearer(request);
  if (bearer.kind === "wallet") return byWallet(deps, request.owner, bearer);
  throw invalidToken(NOT_ACCEPTED);
}

function requireBearer({ authorization }: KeyChangeRequest): BearerToken {
  const bearer = readBearerToken(authorization);
  if (bearer !== undefined) return bearer;
  throw refusal("UNAUTHENTICATED", NOT_ACCEPTED, "Authorization");
}

async function byWallet(
  { verifyWalletToken }: KeyChangeDeps,
  owner: EName,
  { jws }: Extract<BearerToken, { kind: "wallet" }>,
): Promise<KeyChangeRight> {
  const claims = await verifyWalletToken(jws, owner);
  if (claims.ename !== owner) throw invalidToken(NOT_ACCEPTED);
  return { owner, by: "wallet-token", ...walletTokenUse(claims) };
}

async function byRecoveryCode({ database, clock }: KeyChangeDeps, owner: EName, code: string): Promise<KeyChangeRight> {
  const codeHash = hashOneTimeCode(code);
  const at = new Date(clock.nowMs()).toISOString();
  if (await isGoodRecoveryCode(database, { owner, codeHash, at })) return { owner, by: "recovery-code", codeHash };
  throw invalidToken("This recovery code is not good for this owner, or no longer; ask the operator for a new one.");
}
