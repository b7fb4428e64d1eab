import { walletTokenUse } from "@dataspace/protocol/wallet-token";
import type { VerifyWalletToken } from "@dataspace/clients/verify-wallet-token";
import type { EName } from "@dataspace/protocol/ename";
import { type BearerToken, invalidToken, readBearerToken } from "./bearer-token.ts";
import type { Caller } from "./caller.ts";
import type { ShownSession, VerifyPlatformSession } from "./platform-session.ts";
import type { VerifyPlatformToken } from "./platform-token.ts";
import { readENameHeader } from "./read-ename-header.ts";

/** The parts of a request that identify the caller: its headers, and what a DPoP proof must be about. */
export interface CallerHeaders extends Pick<ShownSession, "method" | "url" | "again"> {
  readonly authorization: string | undefined;
  readonly onBehalfOf: string | undefined;
  readonly dpop: string | undefined;
}

/** Identifies the caller at an owner's vault. Refuses: INVALID_TOKEN, INVALID_ENAME. */
export type IdentifyCaller = (owner: EName, headers: CallerHeaders) => Promise<Caller>;

/**
 * `auth` defines a caller without a token: `enforced` anonymous, `header` the addressed eName. `legacyTokens` is what
 * registry-issued platform tokens may do. `migrationPlatforms` may create records without events.
 */
export interface IdentifyCallerConfig {
  readonly auth: "enforced" | "header";
  readonly legacyTokens: "accept" | "read-only" | "reject";
  readonly migrationPlatforms: ReadonlySet<EName>;
}

/**
 * Makes the only function that turns a request's headers into a caller. X-ENAME only names the addressed vault. A token
 * proves who asks, and an invalid token never counts as none.
 *
 * Source: S1 "Authentication"; decisions I2, I4, I5, I7.
 */
export function createIdentifyCaller(
  verifiers: {
    readonly wallet: VerifyWalletToken;
    readonly platform: VerifyPlatformToken;
    readonly session: VerifyPlatformSession;
  },
  config: IdentifyCallerConfig,
): IdentifyCaller {
  return async (owner, headers) => {
    const onBehalfOf = headers.onBehalfOf === undefined ? null : readENameHeader("X-ON-BEHALF-OF", headers.onBehalfOf);
    const token = readBearerToken(headers.authorization);
    switch (token?.kind) {
      case undefined:
        return withoutToken(owner, onBehalfOf, config);
      case "wallet":
        return { ...(await byWallet(owner, token, verifiers.wallet)), onBehalfOf };
      case "legacy-platform":
        return byPlatform({ owner, onBehalfOf, ...(await verifiers.platform(token.text)) }, config);
      case "session":
        return bySession({ owner, onBehalfOf, ...(await verifiers.session(owner, shownBy(token, headers))) }, config);
      case "opaque":
        throw invalidToken("This bearer credential is of no kind that is accepted here.");
    }
  };
}

function withoutToken(owner: EName, onBehalfOf: EName | null, { auth }: IdentifyCallerConfig): Caller {
  const base = { owner, subject: null, platform: null, author: onBehalfOf, onBehalfOf, tokenUse: undefined };
  return auth === "header"
    ? { ...base, principal: { kind: "person", ename: owner }, credential: "asserted" }
    : { ...base, principal: { kind: "anonymous" }, credential: "anonymous" };
}

async function byWallet(
  owner: EName,
  { jws }: Extract<BearerToken, { kind: "wallet" }>,
  verify: VerifyWalletToken,
): Promise<Omit<Caller, "onBehalfOf">> {
  const claims = await verify(jws, owner);
  const { ename } = claims;
  return {
    owner,
    principal: { kind: "person", ename },
    credential: "wallet-token",
    subject: ename,
    platform: null,
    author: ename,
    tokenUse: { ...walletTokenUse(claims), spent: false },
  };
}

function shownBy(
  { text, scheme }: Extract<BearerToken, { kind: "session" }>,
  { dpop, method, url, again }: CallerHeaders,
): ShownSession {
  return { scheme, token: text, proof: dpop, method, url, again };
}

function bySession(
  {
    owner,
    onBehalfOf,
    claim,
    proofUse,
  }: { readonly owner: EName; readonly onBehalfOf: EName | null } & Awaited<ReturnType<VerifyPlatformSession>>,
  { migrationPlatforms }: IdentifyCallerConfig,
): Caller {
  const { platform, level, domains } = claim;
  return {
    owner,
    principal: { kind: "platform", ename: platform, certified: { level, domains } },
    credential: "platform-session",
    subject: platform,
    platform,
    author: onBehalfOf,
    onBehalfOf,
    // This refuses replays at another process: a proof is valid for one writing request.
    tokenUse: proofUse && { token: proofUse.id, expiresAt: proofUse.expiresAt, spent: false },
    claim,
    migrates: migrationPlatforms.has(platform),
  };
}

function byPlatform(
  {
    owner,
    onBehalfOf,
    platform,
  }: { readonly owner: EName; readonly onBehalfOf: EName | null; readonly platform: string },
  { legacyTokens }: IdentifyCallerConfig,
): Caller {
  if (legacyTokens === "reject") {
    throw invalidToken("Registry-issued platform tokens are no longer accepted here; authenticate the platform.");
  }
  return {
    owner,
    principal: { kind: "legacy-platform", writes: legacyTokens === "accept" },
    credential: "legacy-platform-token",
    subject: null,
    platform,
    author: onBehalfOf,
    onBehalfOf,
    tokenUse: undefined,
  };
}
