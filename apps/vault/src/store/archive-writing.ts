import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { RowKind } from "./archive-reading.ts";
import { ADD_TO_COUNT } from "./change-statement.ts";
import { VERSION_BYTES } from "./quota-item.ts";
import { READER_LEVEL } from "./reader-level.ts";

/** Rows of one kind, as JSON texts. `search` are the search texts of records, and absent for other kinds. */
export interface RowsToImport {
  readonly kind: RowKind;
  readonly rows: readonly string[];
  readonly search?: readonly string[];
}

const COLUMNS: Readonly<Record<RowKind, string>> = {
  key: `key_id text, public_key text, point text, added_at timestamptz, added_by text, removed_at timestamptz,
    removed_by text`,
  version: `record_id text, version int, log_id uuid, operation text, log_operation text, baseline boolean,
    suppressed boolean, ontology text, payload text, envelope_hash text, platform text, author text, subject text,
    credential text, restored_from int, at timestamptz`,
  record: `id text, ontology text, payload text, acl text[], acl_block text, version int, removed boolean,
    quarantined boolean, credential text, ord bigint, opened_by text, guest boolean`,
  group: `record_id text, version int, ord bigint, current boolean, by_owner boolean, statement text, granted text[],
    denied text[]`,
  policy: "issued_at timestamptz, record_id text, policy text",
  event: `stream_id text, stream_version int, event_id uuid, body text, requesting_platform text, policy text,
    occurred_at timestamptz`,
  access: `id uuid, day date, platform text, deployment text, version text, level text, issuer text,
    certificate_id text, domain text, action text, first_at timestamptz, last_at timestamptz, expires_at timestamptz`,
  answer: "caller text, key_hash text, body_hash text, expires_at timestamptz, answer text",
  token: "token text, expires_at timestamptz",
  file: "blob_key text, record_id text, size_bytes bigint, created_at timestamptz, guest boolean",
};

const TABLES: Readonly<Record<RowKind, string>> = {
  key: "owner_key",
  version: "change",
  record: "meta_envelope",
  group: "group_statement",
  policy: "owner_policy",
  event: "change_event",
  access: "platform_access",
  answer: "idempotent_answer",
  token: "spent_token",
  file: "stored_file",
};

/** Columns that are stored in another form than they are written, and those that are derived. */
const FORMS: Readonly<Record<string, string>> = {
  envelope_hash: "decode(envelope_hash, 'hex')",
  key_hash: "decode(key_hash, 'hex')",
  body_hash: "decode(body_hash, 'hex')",
};
const DERIVED: Partial<Record<RowKind, Readonly<Record<string, string>>>> = {
  record: { acl_key: "encode(sha256(convert_to(acl_block, 'UTF8')), 'hex')", search: "search" },
  file: { state: "'kept'" },
};

// What is stored is counted by the statement that stores it, so that a batch that is sent twice counts once.
const COUNTED: Partial<Record<RowKind, readonly string[]>> = {
  version: [
    `counted as (
      insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
      select $1, ontology, 0, 0, 0,
             coalesce(sum(octet_length(coalesce(payload, '')) + ${VERSION_BYTES}) filter (where credential <> 'anonymous'), 0),
             coalesce(sum(octet_length(coalesce(payload, '')) + ${VERSION_BYTES}) filter (where credential = 'anonymous'), 0)
        from stored group by ontology order by ontology ${ADD_TO_COUNT})`,
  ],
  record: [
    `counted as (
      insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
      select $1, ontology, 0, count(*) filter (where not removed and acl_block is null),
             count(*) filter (where not removed and guest), 0, 0
        from stored group by ontology order by ontology ${ADD_TO_COUNT})`,
    `reader as (
      insert into reader_level (owner, min_reader)
      select $1, ${READER_LEVEL} where exists (select from stored where acl_block is not null) on conflict do nothing)`,
  ],
  file: [
    `counted as (
      insert into file_usage (owner, used_bytes, guest_bytes)
      select $1, coalesce(sum(size_bytes) filter (where not guest), 0), coalesce(sum(size_bytes) filter (where guest), 0)
        from stored
      on conflict (owner) do update
         set used_bytes = file_usage.used_bytes + excluded.used_bytes,
             guest_bytes = file_usage.guest_bytes + excluded.guest_bytes)`,
  ],
};

/**
 * Inserts rows of an import, and counts them for the quotas. A row that is there already stays as it is. The versions
 * of a record come before it, since it shares their log entries.
 *
 * Refuses: the database's errors; 22xxx and 23xxx mean that a row is malformed. Source: decision V18.
 */
export async function insertRows(
  transaction: Queryable,
  owner: EName,
  { kind, rows, search }: RowsToImport,
): Promise<void> {
  if (rows.length === 0) return;
  await transaction.query({
    name: `import:${kind}`,
    text: insertText(kind),
    values: [owner, `[${rows.join(",")}]`, ...(search === undefined ? [] : [search])],
  });
}

function insertText(kind: RowKind): string {
  const names = COLUMNS[kind].split(",").map((column) => column.trim().split(" ")[0] as string);
  const derived = DERIVED[kind] ?? {};
  const columns = ["owner", ...names, ...Object.keys(derived)];
  const values = ["$1", ...names.map((name) => FORMS[name] ?? name), ...Object.values(derived)];
  const given = `json_to_recordset($2::json) as (${COLUMNS[kind]})`;
  const from =
    kind === "record"
      ? `rows from (${given}, unnest($3::text[])) as given (${[...names, "search"].join(", ")})`
      : `json_to_recordset($2::json) as given (${COLUMNS[kind]})`;
  const parts = [
    `stored as (
  insert into ${TABLES[kind]} (${columns.join(", ")}) select ${values.join(", ")} from ${from}
  on conflict do nothing returning *)`,
    ...(COUNTED[kind] ?? []),
  ];
  return `with ${parts.join(",\n")}\nselect count(*) from stored`;
}
