import { randomUUID } from "node:crypto";
import { type EName, parseEName } from "@dataspace/protocol/ename";
import { decodePublicKey } from "@dataspace/protocol/public-key";
import { systemClock } from "@dataspace/service-kit/clock";
import { createVault } from "@dataspace/vault/store/vault-rows";
import { issueWalletToken } from "@dataspace/wallet/issue-wallet-token";
import { createWalletKey } from "@dataspace/wallet/wallet-key";
import type { Database } from "@dataspace/service-kit/postgres/database";

/** Somebody with a wallet and a vault. */
export interface Person {
  readonly ename: EName;
  /** A wallet token for an owner's vault, good for ten minutes. */
  readonly tokenFor: (owner: EName) => Promise<string>;
}

const LIFETIME_SECONDS = 600;

/** Makes a person whose vault, with their key in force, is in this database. */
export async function createPerson(database: Database): Promise<Person> {
  const key = await createWalletKey();
  const ename = parseEName(randomUUID());
  const publicKey = {
    text: key.publicKey,
    point: Buffer.from(decodePublicKey(key.publicKey).point).toString("hex"),
  };
  const at = new Date().toISOString();
  await database.transaction((tx) => createVault(tx, { owner: ename, vaultId: ename, publicKey, at }));
  return {
    ename,
    tokenFor: (audience) =>
      issueWalletToken({ key, clock: systemClock }, { ename, audience, lifetimeSeconds: LIFETIME_SECONDS }),
  };
}

/** A legacy platform token, whose signature is not checked in a bench. */
export function platformBearer(): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString("base64url");
  const exp = Math.floor(Date.now() / 1_000) + 86_400;
  return `${part({ alg: "ES256", kid: "bench" })}.${part({ platform: "bench", exp })}.${Buffer.alloc(64).toString("base64url")}`;
}
