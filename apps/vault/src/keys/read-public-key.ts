import { decodePublicKey } from "@dataspace/protocol/public-key";
import { refusal } from "../errors.ts";
import type { OwnerKey } from "../store/key-rows.ts";

/**
 * Reads the body of a key change.
 *
 * In: `{publicKey}`, multibase text that starts with `z`. Out: the text verbatim with its point in hex.
 * Refuses: INVALID_PUBLIC_KEY (400). Source: S1 "PATCH /public-key"; decisions I6, I9, V19.
 */
export function readPublicKey(body: unknown): OwnerKey {
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
