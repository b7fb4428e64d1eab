import { createHash, timingSafeEqual } from "node:crypto";
import type { EName } from "@dataspace/protocol/ename";
import type { Clock } from "@dataspace/service-kit/clock";
import type { Database } from "@dataspace/service-kit/database";
import type { Secret } from "@dataspace/service-kit/secret";
import { readBearerToken } from "../caller/bearer-token.ts";
import type { VerifyWalletToken } from "../caller/wallet-token.ts";
import { refusal } from "../errors.ts";

/** What a key change needs. `serviceToken` is the provisioner's, where one is configured. */
export interface KeyChangeDeps {
  readonly database: Database;
  readonly clock: Clock;
  readonly verifyWalletToken: VerifyWalletToken;
  readonly serviceToken: Secret | undefined;
}

/** Whose keys are to change, and the credential that asks for it. */
export interface KeyChangeRequest {
  readonly owner: EName;
  readonly authorization: string | undefined;
}

/** The right to add a key of an owner: who is recorded for it, the wallet token it spends, and whether it ends with the first key. */
export interface KeyChangeRight {
  readonly owner: EName;
  readonly by: string;
  readonly token: { readonly token: string; readonly expiresAt: string } | undefined;
  readonly onlyWhileKeyless: boolean;
  readonly refusal: string;
}

const NOT_ACCEPTED = "A key is added with a wallet token that a key in force of the owner has signed.";

/**
 * Finds by what right a key is added: a wallet token of the owner itself, or the provisioner's service token while the vault
 * has no key. No platform token is ever enough, since anybody can have one.
 *
 * Refuses: UNAUTHENTICATED, INVALID_TOKEN (401). Source: S1 "Bearer token"; decisions I4, I6.
 */
export async function authorizeKeyChange(deps: KeyChangeDeps, request: KeyChangeRequest): Promise<KeyChangeRight> {
  const bearer = readBearerToken(request.authorization);
  if (bearer === undefined) throw refusal("UNAUTHENTICATED", NOT_ACCEPTED, "Authorization");
  if (bearer.kind === "wallet") {
    const { ename, jti, expiresAtSeconds } = await deps.verifyWalletToken(bearer.jws, request.owner);
    if (ename !== request.owner) throw refusal("INVALID_TOKEN", NOT_ACCEPTED, "Authorization");
    const token = { token: `${ename} ${jti}`, expiresAt: new Date(expiresAtSeconds * 1000).toISOString() };
    return { owner: request.owner, by: ename, token, onlyWhileKeyless: false, refusal: NOT_ACCEPTED };
  }
  if (bearer.kind === "opaque" && isServiceToken(deps.serviceToken, bearer.text)) {
    return {
      owner: request.owner,
      by: "service-token",
      token: undefined,
      onlyWhileKeyless: true,
      refusal: NOT_ACCEPTED,
    };
  }
  throw refusal("INVALID_TOKEN", NOT_ACCEPTED, "Authorization");
}

function isServiceToken(expected: Secret | undefined, text: string): boolean {
  return expected !== undefined && timingSafeEqual(digest(expected.reveal()), digest(text));
}

function digest(text: string): Buffer {
  return createHash("sha256").update(text).digest();
}
