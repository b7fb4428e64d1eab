import { PERMISSIONS, type Permission } from "./permission.ts";
import type { PolicyAsker, PolicyFacts } from "./policy-asker.ts";

/** What a predicate is about: `column` is SQL that gives a row's policy as text or jsonb. */
export interface PolicyPredicate {
  readonly column: string;
  readonly permission: Permission;
  readonly asker: PolicyAsker;
  readonly facts: PolicyFacts;
}

/**
 * Writes `decideByPolicy` as a condition on a row, so that a list is filtered and counted before it is paged.
 *
 * The three steps stand in the order of the decision. A grant has at least one bit, so the first rank that is there is the
 * first that is not null. Conditions are compared whole: jsonb containment would take a condition that names no issuer for
 * one that does. `offset 0` keeps the block from being parsed anew wherever it is mentioned.
 *
 * In: the column holds what `parseAccessPolicy` gave, as JSON; `parameter` adds a value to the statement and gives its
 * placeholder. Out: a boolean for PostgreSQL 15 or newer, the same text for every asker; false where there is no policy,
 * and where it is of a version that this build does not know. The statement fails on text that is no JSON.
 * Refuses: never. Source: S1 "Authentication" (`_acl` decision order); decisions V11, V13, V24.
 */
export function policyPredicate(
  { column, permission, asker, facts }: PolicyPredicate,
  parameter: (value: unknown) => string,
): string {
  const identities = [asker.ename, asker.platform, asker.onBehalfOf].filter((ename) => ename !== null);
  const denied = parameter([...identities, ...facts.deniedThrough]);
  const passed = parameter([...facts.passed]);
  return `exists (
    select from (select (${column})::jsonb as block offset 0) as policy
     where case block -> 'v' when '1'::jsonb then
             not block #> '{denials,enames}' ?| ${denied}::text[]
             and ${allPass("block #> '{denials,conditions}'", passed)}
             and ${parameter(asker.authenticated)}::boolean
             and coalesce(
               (select coalesce(
                         bit_or(perms) filter (where ename = ${parameter(asker.ename)}::text),
                         bit_or(perms) filter (where ename = ${parameter(asker.platform)}::text),
                         bit_or(perms) filter (where ename = any (${parameter([...facts.memberOf])}::text[])))
                  from jsonb_to_recordset(block -> 'grants') as granted (ename text, perms int)),
               (select (block -> 'default_perms')::int
                 where exists (select from jsonb_array_elements(block -> 'require') as required (conditions)
                                where ${allPass("conditions", passed)})),
               0) & ${PERMISSIONS[permission]} <> 0
           else false end)`;
}

function allPass(conditions: string, passed: string): string {
  return `not exists (select from jsonb_array_elements(${conditions}) as term (condition)
                       where condition <> all (${passed}::jsonb[]))`;
}
