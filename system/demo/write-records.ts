import type { DataSet } from "./demo-data.ts";
import type { GraphQLConnection } from "./graphql-connection.ts";
import type { Progress } from "./progress.ts";

/** The owner of a data set, and the bearer token where the vault needs one. */
export interface VaultAccess {
  readonly owner: string;
  readonly token: string | undefined;
}

/** A data set in its vault: the record of each MetaEnvelope, by id. */
export interface WrittenSet {
  readonly set: DataSet;
  readonly access: VaultAccess;
  readonly indexById: Map<string, number>;
}

interface Created {
  readonly createMetaEnvelope: {
    readonly metaEnvelope: { readonly id: string } | null;
    readonly errors: readonly { readonly code: string; readonly message: string }[] | null;
  };
}

const CREATE = `mutation Create($input: MetaEnvelopeInput!) {
  createMetaEnvelope(input: $input) { metaEnvelope { id } errors { code message } }
}`;

/**
 * Writes every record of all sets through the public API, `inFlight` requests at a time; `indexById` fills as it goes.
 *
 * Refuses: an Error with the vault's refusal; AbortError.
 */
export async function writeRecords(
  deps: { readonly connection: GraphQLConnection; readonly progress: Progress },
  sets: readonly WrittenSet[],
  inFlight: number,
): Promise<void> {
  const jobs = listJobs(sets);
  await Promise.all(
    Array.from({ length: inFlight }, async () => {
      for (const { written, index } of jobs) {
        await writeRecord(deps.connection, written, index);
        deps.progress.add(1);
      }
    }),
  );
}

/** The sets in turn, so that vaults are written at the same time; all workers share one iterator. */
function* listJobs(sets: readonly WrittenSet[]): Generator<{ readonly written: WrittenSet; readonly index: number }> {
  const longest = Math.max(...sets.map(({ set }) => set.records.length));
  for (let index = 0; index < longest; index++) {
    for (const written of sets) if (index < written.set.records.length) yield { written, index };
  }
}

async function writeRecord(connection: GraphQLConnection, written: WrittenSet, index: number): Promise<void> {
  const { set, access, indexById } = written;
  const input = { ontology: set.ontology, payload: set.records[index] };
  const { createMetaEnvelope } = await connection.ask<Created>({ ...access, query: CREATE, variables: { input } });
  const { metaEnvelope, errors } = createMetaEnvelope;
  if (metaEnvelope === null) throw new Error(`The vault refused a record of ${set.name}: ${JSON.stringify(errors)}`);
  indexById.set(metaEnvelope.id, index);
}
