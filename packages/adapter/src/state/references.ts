import type { LocalRef } from "./pairs.ts";
import type { Queryable } from "./state-database.ts";

/** A reference to a record, to be stored in a participant's vault. */
export interface Reference extends LocalRef {
  readonly participant: string;
  readonly idempotencyKey: string;
}

/** References to records in the vaults of participants. */
export interface References {
  /** Notes references that are wanted; those that are noted already stay as they are. */
  readonly want: (ref: LocalRef, participants: readonly string[]) => Promise<void>;
  /** Those that are not stored yet. */
  readonly open: (ref: LocalRef) => Promise<readonly Reference[]>;
  readonly settle: (reference: Reference, globalId: string) => Promise<void>;
}

interface ReferenceRow {
  readonly participant: string;
  readonly idempotency_key: string;
}

/** Opens the references in a database or a transaction. Refuses: the database's errors. Source: S3 outbound rule 3. */
export function createReferences({ query }: Queryable): References {
  return {
    want: async ({ table, localId }, participants) => {
      for (const participant of participants) {
        await query({
          text: `insert into ds_reference (table_name, local_id, participant, idempotency_key) values ($1, $2, $3, $4)
            on conflict (table_name, local_id, participant) do nothing`,
          values: [table, localId, participant, crypto.randomUUID()],
        });
      }
    },
    open: async ({ table, localId }) => {
      const rows = await query<ReferenceRow>({
        text: `select * from ds_reference where table_name = $1 and local_id = $2 and global_id is null order by participant`,
        values: [table, localId],
      });
      return rows.map((row) => ({ table, localId, participant: row.participant, idempotencyKey: row.idempotency_key }));
    },
    settle: async ({ table, localId, participant }, globalId) => {
      const text = `update ds_reference set global_id = $4 where table_name = $1 and local_id = $2 and participant = $3`;
      await query({ text, values: [table, localId, participant, globalId] });
    },
  };
}
