import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import { scopeShape, seesNothing, visibleIn } from "./read-scope-condition.ts";

/** An entry of an owner's operation log. `envelopeHash` is hex SHA-256. */
export interface LogRow {
  readonly id: string;
  readonly metaEnvelopeId: string;
  readonly envelopeHash: string;
  readonly operation: string;
  readonly platform: string | null;
  readonly author: string | null;
  readonly at: Date;
  readonly ontology: string;
}

/** A stretch of the log: entries below a log id (undefined: from the newest), at most so many. */
export interface LogStretch {
  readonly below: string | undefined;
  readonly rowLimit: number;
}

/**
 * Reads log entries, newest first: all of them for the owner, those of MetaEnvelopes that the caller may read for anybody
 * else, removed ones by the policy they last carried.
 *
 * Source: S1 "GET /logs"; decision V10.
 */
export async function listLogEntries(
  database: Queryable,
  { owner, scope }: { readonly owner: EName; readonly scope: ReadScope },
  { below, rowLimit }: LogStretch,
): Promise<readonly LogRow[]> {
  if (seesNothing(scope)) return [];
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const place = below === undefined ? "" : ` and c.log_id < ${parameter(below)}::uuid`;
  const visible =
    scope.arrays.kind === "owner"
      ? ""
      : ` and exists (select 1 from meta_envelope m where m.owner = $1 and m.id = c.record_id and ${visibleIn(scope, parameter, "m.")})`;
  const limit = parameter(rowLimit);
  const found = await database.query<LogRow>({
    name: `log:${scopeShape(scope)}${below === undefined ? "" : ":below"}`,
    text: `select c.log_id as id, c.record_id as "metaEnvelopeId", encode(c.envelope_hash, 'hex') as "envelopeHash",
    coalesce(c.log_operation, c.operation) as operation, c.platform, c.author, c.at, c.ontology
  from change c where c.owner = $1 and not c.baseline${place}${visible} order by c.log_id desc limit ${limit}::int`,
    values,
  });
  return found.rows;
}
