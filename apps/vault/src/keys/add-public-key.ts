import { refusal } from "../errors.ts";
import { insertKey, listKeysInForce, lockKeyLog } from "../store/key-rows.ts";
import type { KeyChangeDeps, KeyChangeRight } from "./authorize-key-change.ts";
import { readPublicKey } from "./read-public-key.ts";
import { keyChangeAuthor, spendRight } from "./spend-right.ts";

const MAX_KEYS = 20;

/**
 * Adds a public key of the owner. A point that is already in force, in any spelling, is left unchanged.
 *
 * In: the body, `{publicKey}`, stored verbatim. Out: whether the key is new.
 * Refuses: as `spendRight`; INVALID_PUBLIC_KEY (400), TOO_MANY_KEYS (409).
 * Source: S1 "PATCH /public-key"; decisions I6, I9, V19.
 */
export async function addPublicKey(
  { database, clock }: Pick<KeyChangeDeps, "database" | "clock">,
  right: KeyChangeRight,
  body: unknown,
): Promise<{ readonly added: boolean }> {
  const key = readPublicKey(body);
  const { owner } = right;
  return database.transaction(async (transaction) => {
    await lockKeyLog(transaction, owner);
    const keys = await listKeysInForce(transaction, owner);
    if (keys.some(({ point }) => point === key.point)) return { added: false };
    const at = new Date(clock.nowMs()).toISOString();
    await spendRight(transaction, right, { keys, at });
    if (keys.length >= MAX_KEYS) {
      throw refusal("TOO_MANY_KEYS", `An owner has at most ${MAX_KEYS} keys; remove one first.`);
    }
    const keyId = keys.length === 0 ? "default" : `key-${keys.length + 1}`;
    await insertKey(transaction, { owner, ...key, keyId, addedBy: keyChangeAuthor(right), at });
    return { added: true };
  });
}
