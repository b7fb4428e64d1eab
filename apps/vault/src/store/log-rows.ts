import type { EName } from "@dataspace/protocol/ename";
import type { Queryable, Statement } from "@dataspace/service-kit/postgres/database";
import type { ReadScope } from "../meta-envelopes/read-scope.ts";
import {
  arrayKeys,
  isAdmittedByKind,
  ontologyKeys,
  policyKeys,
  scopeShape,
  seesNothing,
  visibleIn,
} from "./read-scope-condition.ts";

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

/** A part of the log: entries below a log id (undefined: from the newest), up to a number. */
export interface LogStretch {
  readonly below: string | undefined;
  readonly rowLimit: number;
}

/** Whose log is read, and which MetaEnvelopes it may mention. */
export interface VisibleLog {
  readonly owner: EName;
  readonly scope: ReadScope;
}

const COLUMNS = `c.log_id as id, c.record_id as "metaEnvelopeId", encode(c.envelope_hash, 'hex') as "envelopeHash",
    coalesce(c.log_operation, c.operation) as operation, c.platform, c.author, c.at, c.ontology`;

/**
 * Reads log entries, newest first: all for the owner, otherwise those of MetaEnvelopes that the caller may read; for
 * removed ones their last policy decides. An evidence session sees an entry where it may reach both the current
 * ontology of the MetaEnvelope and the ontology at that time.
 *
 * Source: S1 "GET /logs"; decisions V10, V27, A2.
 */
export async function listLogEntries(
  database: Queryable,
  log: VisibleLog,
  stretch: LogStretch,
): Promise<readonly LogRow[]> {
  if (seesNothing(log.scope)) return [];
  const statement = statementOf(log, stretch);
  return (await database.query<LogRow>(statement)).rows;
}

function statementOf(log: VisibleLog, stretch: LogStretch): Statement {
  if (log.scope.ontologies !== undefined) return gatedLog(log, stretch);
  return isAdmittedByKind(log.scope) ? wholeLog(log, stretch) : sharedLog(log, stretch);
}

function wholeLog({ owner, scope }: VisibleLog, { below, rowLimit }: LogStretch): Statement {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const place = below === undefined ? "" : ` and c.log_id < ${parameter(below)}::uuid`;
  // Checked for each entry separately: the planner might otherwise join all of the owner's MetaEnvelopes.
  const visible =
    scope.arrays.kind === "owner"
      ? ""
      : ` and (select ${visibleIn(scope, parameter, "m.")} from meta_envelope m where m.owner = $1 and m.id = c.record_id)`;
  return {
    name: `log:${scopeShape(scope)}${below === undefined ? "" : ":below"}`,
    text: `select ${COLUMNS}
  from change c where c.owner = $1 and not c.baseline${place}${visible} order by c.log_id desc limit ${parameter(rowLimit)}::int`,
    values,
  };
}

function gatedLog({ owner, scope }: VisibleLog, { below, rowLimit }: LogStretch): Statement {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const ontologies = ontologyKeys(scope, parameter);
  const place = below === undefined ? "" : ` and c.log_id < ${parameter(below)}::uuid`;
  const newest = `order by log_id desc limit ${parameter(rowLimit)}::int`;
  return {
    name: `log:${scopeShape(scope)}${below === undefined ? "" : ":below"}`,
    text: `select ${COLUMNS} from (
  select one.log_id from (${ontologies}) as reach cross join lateral (
    select c.log_id from change c
     where hashtextextended(c.owner || c.ontology, 0) = hashtextextended($1 || reach.key, 0)
       and c.owner = $1 and c.ontology = reach.key and not c.baseline${place}
       and (select m.ontology in (${ontologies}) and ${visibleIn(scope, parameter, "m.")}
              from meta_envelope m where m.owner = $1 and m.id = c.record_id)
     ${newest}) as one
  ${newest}) as seen
  cross join lateral (select * from change where owner = $1 and log_id = seen.log_id) as c order by c.log_id desc`,
    values,
  };
}

function sharedLog({ owner, scope }: VisibleLog, { below, rowLimit }: LogStretch): Statement {
  const values: unknown[] = [owner];
  const parameter = (value: unknown) => `$${values.push(value)}`;
  const keys = [arrayKeys(scope, parameter), policyKeys(scope, parameter)].filter((part) => part !== undefined);
  const place = below === undefined ? "" : ` and s.log_id < ${parameter(below)}::uuid`;
  const newest = `order by log_id desc limit ${parameter(rowLimit)}::int`;
  return {
    name: `shared-log:${scopeShape(scope)}${below === undefined ? "" : ":below"}`,
    text: `select ${COLUMNS} from (
  select one.log_id from (${keys.join(" union all ")}) as reach cross join lateral (
    select s.log_id from shared_log s where s.owner = $1 and s.read_key = reach.key${place} ${newest}) as one
  ${newest}) as seen
  cross join lateral (select * from change where owner = $1 and log_id = seen.log_id) as c order by c.log_id desc`,
    values,
  };
}
