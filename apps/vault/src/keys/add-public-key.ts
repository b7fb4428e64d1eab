import { decodePublicKey } from "@dataspace/protocol/public-key";
import { refusal } from "../errors.ts";
import { insertKey, listKeysInForce, lockKeyLog, type OwnerKey, spendToken } from "../store/key-rows.ts";
import type { KeyChangeDeps, KeyChangeRight } from "./authorize-key-change.ts";

const MAX_KEYS = 20;

/**
 * Adds a public key of the owner. A point that is already in force, however it is spelt, is left as it is.
 *
 * In: the body's `publicKey`, multibase text starting with `z`, kept verbatim. Out: whether the key is new.
 * Refuses: INVALID_TOKEN (no longer keyless), TOKEN_SPENT (401), INVALID_PUBLIC_KEY (400), TOO_MANY_KEYS (409).
 * Source: S1 "PATCH /public-key"; decisions I6, I9, V19.
 */
export async function addPublicKey(
  deps: Pick<KeyChangeDeps, "database" | "clock">,
  { owner, ...right }: KeyChangeRight,
  body: unknown,
): Promise<{ readonly added: boolean }> {
  const key = readPublicKey(body);
  return deps.database.transaction(async (transaction) => {
    await lockKeyLog(transaction, owner);
    const keys = await listKeysInForce(transaction, owner);
    if (right.onlyWhileKeyless && keys.length > 0) throw refusal("INVALID_TOKEN", right.refusal, "Authorization");
    if (keys.some(({ point }) => point === key.point)) return { added: false };
    if (keys.length >= MAX_KEYS)
      throw refusal("TOO_MANY_KEYS", `An owner has at most ${MAX_KEYS} keys; remove one first.`);
    if (right.token !== undefined && !(await spendToken(transaction, { owner, ...right.token }))) {
      throw refusal(
        "TOKEN_SPENT",
        "This wallet token has served its one writing request; have the wallet issue a new one.",
      );
    }
    const at = new Date(deps.clock.nowMs()).toISOString();
    await insertKey(transaction, { owner, ...key, keyId: keyIdFor(keys.length), addedBy: right.by, at });
    return { added: true };
  });
}

function keyIdFor(keysBefore: number): string {
  return keysBefore === 0 ? "default" : `key-${keysBefore + 1}`;
}

function readPublicKey(body: unknown): OwnerKey {
  const publicKey = (body as { publicKey?: unknown } | null | undefined)?.publicKey;
  if (typeof publicKey !== "string" || !publicKey.startsWith("z")) {
    throw refusal("INVALID_PUBLIC_KEY", "Send publicKey: multibase text that starts with z.", "publicKey");
  }
  try {
    return { publicKey, point: Buffer.from(decodePublicKey(publicKey).point).toString("hex") };
  } catch (error) {
    throw refusal("INVALID_PUBLIC_KEY", (error as Error).message, "publicKey");
  }
}
