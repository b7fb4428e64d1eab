import { randomUUID } from "node:crypto";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { systemClock } from "@dataspace/service-kit/clock";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey, type WalletKey } from "@dataspace/wallet/wallet-key";
import type { SessionClaim } from "../../src/caller/platform-session.ts";
import type { TestVault } from "./start-vault.ts";

/** Somebody with a wallet and a vault of their own. */
export interface Person {
  readonly ename: EName;
  readonly key: WalletKey;
  /** Headers with a fresh wallet token for an owner's vault, and more if any. */
  readonly at: (owner: string, more?: Readonly<Record<string, string>>) => Promise<Readonly<Record<string, string>>>;
}

/** Makes a person with a vault. */
export async function createPerson(vault: Pick<TestVault, "createOwner">): Promise<Person> {
  const key = await createWalletKey();
  const ename = await vault.createOwner(key.publicKey);
  return {
    ename,
    key,
    at: async (owner, more = {}) => {
      const token = await issueWalletToken({ key, clock: systemClock }, { ename, audience: owner });
      return { authorization: `Bearer ${token}`, ...more };
    },
  };
}

/** Headers with a legacy platform token that the registry signed. */
export function platformHeaders(
  vault: Pick<TestVault, "signAsRegistry">,
  platform = "https://platform.example",
): Readonly<Record<string, string>> {
  const iat = Math.floor(Date.now() / 1000);
  return { authorization: `Bearer ${vault.signAsRegistry({ platform, iat, exp: iat + 600 })}` };
}

/** A platform with an evidence session at an owner's vault: level L3, the domains given. Gives the headers of its requests. */
export function platformSession(
  vault: Pick<TestVault, "sessions">,
  owner: EName,
  claim: Partial<SessionClaim> = {},
): Readonly<Record<string, string>> {
  const token = `dss_${randomUUID()}`;
  vault.sessions.set(`${owner} ${token}`, {
    platform: parseEName(randomUUID()),
    deployment: parseEName(randomUUID()),
    version: "1.4.0",
    level: "L3",
    domains: ["social"],
    issuer: "https://ppa.example",
    certificateId: randomUUID(),
    ...claim,
  });
  return { authorization: `Bearer ${token}` };
}
