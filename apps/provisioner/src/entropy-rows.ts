import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** A vault created from an entropy, and whether the registry knows it yet. */
export interface SpentEntropy {
  readonly entropyHash: Buffer;
  readonly owner: EName;
  readonly vaultId: string;
  readonly uri: string;
  /** What distinguishes a repetition of the request from another one with the same entropy. */
  readonly requestHash: Buffer;
  readonly registeredAtMs: number | null;
}

const COLUMNS = `entropy_hash as "entropyHash", owner, vault_id as "vaultId", uri, request_hash as "requestHash",
                 registered_at_ms as "registeredAtMs"`;
const MAX_RESUMED = 1000;

/**
 * Spends an entropy unless it is spent. It waits for a concurrent request that spends it.
 *
 * Out: the row that spent it before, or undefined when this call did. Refuses: never by itself. Source: decision V17.
 */
export async function spendEntropy(
  transaction: Queryable,
  row: Omit<SpentEntropy, "registeredAtMs">,
  nowMs: number,
): Promise<SpentEntropy | undefined> {
  const { rowCount } = await transaction.query({
    name: "entropy-spend",
    text: `insert into provision_entropy (entropy_hash, owner, vault_id, uri, request_hash, spent_at_ms)
           values ($1, $2, $3, $4, $5, $6) on conflict (entropy_hash) do nothing`,
    values: [row.entropyHash, row.owner, row.vaultId, row.uri, row.requestHash, nowMs],
  });
  if (rowCount === 1) return undefined;
  const { rows } = await transaction.query<SpentEntropy>({
    name: "entropy-find",
    text: `select ${COLUMNS} from provision_entropy where entropy_hash = $1`,
    values: [row.entropyHash],
  });
  return rows[0];
}

/** Records that the registry knows the vault. Refuses: never by itself. Source: decision V17. */
export async function markRegistered(database: Queryable, entropyHash: Buffer, nowMs: number): Promise<void> {
  await database.query({
    name: "entropy-mark-registered",
    text: "update provision_entropy set registered_at_ms = $2 where entropy_hash = $1 and registered_at_ms is null",
    values: [entropyHash, nowMs],
  });
}

/** Lists the vaults that the registry may not know yet, oldest first, at most 1,000. Refuses: never by itself. */
export async function listUnregistered(database: Queryable): Promise<readonly SpentEntropy[]> {
  const { rows } = await database.query<SpentEntropy>({
    text: `select ${COLUMNS} from provision_entropy where registered_at_ms is null order by spent_at_ms limit $1`,
    values: [MAX_RESUMED],
  });
  return rows;
}
