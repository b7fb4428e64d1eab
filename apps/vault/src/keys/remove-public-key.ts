import { refusal } from "../errors.ts";
import { listKeysInForce, lockKeyLog, retireKey } from "../store/key-rows.ts";
import type { KeyChangeDeps, KeyChangeRight } from "./authorize-key-change.ts";
import { readPublicKey } from "./read-public-key.ts";
import { keyChangeAuthor, spendRight } from "./spend-right.ts";

/**
 * Removes a public key of the owner. It stays in the key log, and from the next request on its signatures are refused.
 *
 * In: the body, `{publicKey}`, in any spelling of the point.
 * Refuses: as `spendRight`; INVALID_PUBLIC_KEY (400), NOT_FOUND (404), LAST_KEY (409). Source: decision I6.
 */
export async function removePublicKey(
  { database, clock }: Pick<KeyChangeDeps, "database" | "clock">,
  right: KeyChangeRight,
  body: unknown,
): Promise<void> {
  const { point } = readPublicKey(body);
  const { owner } = right;
  await database.transaction(async (transaction) => {
    await lockKeyLog(transaction, owner);
    const keys = await listKeysInForce(transaction, owner);
    if (!keys.some((key) => key.point === point)) {
      throw refusal("NOT_FOUND", "This key is not one of the owner's keys in force.", "publicKey");
    }
    if (keys.length === 1)
      throw refusal("LAST_KEY", "An owner keeps one key at least; add another one first.", "publicKey");
    const at = new Date(clock.nowMs()).toISOString();
    await spendRight(transaction, right, { keys, at });
    await retireKey(transaction, { owner, point, removedBy: keyChangeAuthor(right), at });
  });
}
