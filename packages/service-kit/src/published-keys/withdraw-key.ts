import type { Database } from "../postgres/database.ts";
import { type KeyPlace, WITHDRAWN_AT_MS } from "./key-rows.ts";

/** Why a key was not withdrawn. */
export type WithdrawRefusal = "unknown" | "signing";

/**
 * Withdraws a retired key: no service publishes it any more once it has restarted, also where its setting still lists
 * it, so that whatever it signed is refused. Its kid stays recorded: no other key takes it, and it never signs again.
 *
 * Out: undefined, or why nothing was changed: there is no such key, or it still signs. Refuses: never by itself.
 * Source: decision X2; issue "withdraw a retired or stolen signing key".
 */
export async function withdrawKey(
  database: Database,
  table: KeyPlace["table"],
  kid: string,
): Promise<WithdrawRefusal | undefined> {
  return await database.transaction(async (transaction) => {
    const text = `select retired_at_ms as "retiredAtMs" from ${table} where kid = $1 for update`;
    const { rows } = await transaction.query<{ readonly retiredAtMs: number | null }>({ text, values: [kid] });
    const [found] = rows;
    if (found === undefined) return "unknown";
    if (found.retiredAtMs === null) return "signing";
    const withdraw = `update ${table} set retired_at_ms = $2 where kid = $1`;
    await transaction.query({ text: withdraw, values: [kid, WITHDRAWN_AT_MS] });
    return undefined;
  });
}
