import {
  DEFAULT_OWNER_TERMS,
  type OwnerPolicyStatement,
  type OwnerPolicyTerms,
} from "@dataspace/protocol/owner-policy";
import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";

/** Notes owners' access policies, of each the one issued last; one that is not newer than what is known changes nothing. */
export async function noteOwnerPolicies(on: Queryable, statements: readonly OwnerPolicyStatement[]): Promise<void> {
  const newest = new Map<EName, OwnerPolicyStatement>();
  for (const statement of statements) {
    const known = newest.get(statement.subject);
    if (known === undefined || Date.parse(known.issuedAt) < Date.parse(statement.issuedAt)) {
      newest.set(statement.subject, statement);
    }
  }
  if (newest.size === 0) return;
  const rows = [...newest.values()];
  await on.query({
    name: "awareness-note-owner-policies",
    text: `insert into delivery_owner_policy (dsid, issued_at, statement)
           select * from unnest($1::text[], $2::timestamptz[], $3::text[]) as given (dsid, issued_at, statement)
            order by dsid collate "C"
           on conflict (dsid) do update set issued_at = excluded.issued_at, statement = excluded.statement
              where delivery_owner_policy.issued_at < excluded.issued_at`,
    values: [
      rows.map(({ subject }) => subject),
      rows.map(({ issuedAt }) => issuedAt),
      rows.map((statement) => JSON.stringify(statement)),
    ],
  });
}

/** Reads the newest access policies known of some owners, as text by owner; an owner without one is left out. */
export async function listOwnerPolicies(on: Queryable, dsids: readonly string[]): Promise<ReadonlyMap<string, string>> {
  const { rows } = await on.query<{ dsid: string; statement: string }>({
    name: "awareness-owner-policies",
    text: "select dsid, statement from delivery_owner_policy where dsid = any ($1::text[])",
    values: [[...new Set(dsids)]],
  });
  return new Map(rows.map(({ dsid, statement }) => [dsid, statement]));
}

/** Takes an owner's terms from the text of its policy; without a policy, those that count then. Source: decision A2. */
export function textToTerms(statement: string | null | undefined): OwnerPolicyTerms {
  return statement == null ? DEFAULT_OWNER_TERMS : (JSON.parse(statement) as OwnerPolicyStatement);
}
