import type { EName } from "@dataspace/protocol/ename";
import type { Queryable } from "@dataspace/service-kit/postgres/database";
import type { EntryKind } from "../archive/archive-format.ts";

/** The kinds that are rows of one table; blobs are read from the store of files. */
export type RowKind = Exclude<EntryKind, "blob">;

/** A row as JSON text, and its key. */
export interface KeyedRow {
  readonly row: string;
  readonly key: readonly (string | number)[];
}

interface RowSource {
  readonly table: string;
  readonly columns: string;
  /** The columns of the key after the owner, with their types and a value below every key. */
  readonly key: readonly (readonly [name: string, type: string, lowest: string | number])[];
  /** The long texts, by which a page is bounded. */
  readonly size: string;
  readonly where?: string;
}

const NO_UUID = "00000000-0000-0000-0000-000000000000";

const SOURCES: Readonly<Record<RowKind, RowSource>> = {
  key: {
    table: "owner_key",
    columns: "key_id, public_key, point, added_at, added_by, removed_at, removed_by",
    key: [
      ["point", "text", ""],
      ["added_at", "timestamptz", "-infinity"],
    ],
    size: "0",
  },
  version: {
    table: "change",
    columns: `record_id, version, log_id, operation, log_operation, baseline, suppressed, ontology, payload,
      encode(envelope_hash, 'hex') as envelope_hash, platform, author, subject, credential, restored_from, at`,
    key: [
      ["record_id", "text", ""],
      ["version", "int", 0],
    ],
    size: "coalesce(octet_length(payload), 0)",
  },
  record: {
    table: "meta_envelope",
    columns: "id, ontology, payload, acl, acl_block, version, removed, quarantined, credential, ord, opened_by, guest",
    key: [["id", "text", ""]],
    size: "octet_length(payload) + coalesce(octet_length(acl_block), 0)",
  },
  group: {
    table: "group_statement",
    columns: "record_id, version, ord, current, by_owner, statement, granted, denied",
    key: [
      ["record_id", "text", ""],
      ["version", "int", -1],
    ],
    size: "octet_length(statement)",
  },
  policy: {
    table: "owner_policy",
    columns: "issued_at, record_id, policy",
    key: [["record_id", "text", ""]],
    size: "octet_length(policy)",
  },
  event: {
    table: "change_event",
    columns: "stream_id, stream_version, event_id, body, requesting_platform, policy, occurred_at",
    key: [
      ["stream_id", "text", ""],
      ["stream_version", "int", 0],
    ],
    size: "octet_length(body) + octet_length(policy)",
  },
  access: {
    table: "platform_access",
    columns: `id, day, platform, deployment, version, level, issuer, certificate_id, domain, action, first_at, last_at,
      expires_at`,
    key: [["id", "uuid", NO_UUID]],
    size: "0",
  },
  answer: {
    table: "idempotent_answer",
    columns: `caller, encode(key_hash, 'hex') as key_hash, encode(body_hash, 'hex') as body_hash, expires_at, answer`,
    key: [
      ["caller", "text", ""],
      ["key_hash", "bytea", "\\x"],
    ],
    size: "coalesce(octet_length(answer), 0)",
  },
  token: {
    table: "spent_token",
    columns: "token, expires_at",
    key: [["token", "text", ""]],
    size: "0",
  },
  file: {
    table: "stored_file",
    columns: "blob_key, record_id, size_bytes, created_at, guest",
    key: [["blob_key", "text", ""]],
    size: "0",
    where: "state = 'kept'",
  },
};

const ROWS_AT_ONCE = 1_000;
const BYTES_AT_ONCE = 2 * 1_048_576;

/**
 * Reads an owner's rows of one kind in the order of their keys, page by page: at most 1,000 rows, and 2 MiB unless the
 * first one is longer. The transaction's time zone must be UTC, so that times are written in one way.
 *
 * Refuses: the database's errors. Source: decision V18.
 */
export async function* readRows(transaction: Queryable, owner: EName, kind: RowKind): AsyncGenerator<KeyedRow> {
  const source = SOURCES[kind];
  let after: KeyedRow["key"] = source.key.map(([, , lowest]) => lowest);
  for (;;) {
    const { rows } = await transaction.query<KeyedRow>({
      name: `archive:${kind}`,
      text: pageText(source),
      values: [owner, ...after],
    });
    yield* rows;
    const last = rows.at(-1);
    if (last === undefined) return;
    after = last.key;
  }
}

function pageText({ table, columns, key, size, where }: RowSource): string {
  const names = key.map(([name]) => name);
  const values = key.map(([, type], index) => `$${index + 2}::${type}`);
  return `select row_to_json(shown)::text as row, key
    from (select t.*, sum(bytes) over (order by ${names.join(", ")} rows unbounded preceding) - bytes as before
            from (select ${table}.*, ${size} as bytes, json_build_array(${names.map(plain).join(", ")}) as key from ${table}
                   where owner = $1 and (${names.join(", ")}) > (${values.join(", ")}) ${where === undefined ? "" : `and ${where}`}
                   order by ${names.join(", ")} limit ${ROWS_AT_ONCE}) as t) as page
    cross join lateral (select ${columns}) as shown
   where before < ${BYTES_AT_ONCE} order by ${names.map((name) => `page.${name}`).join(", ")}`;
}

// As text where JSON has no type of its own, so that the value comes back unchanged.
function plain(name: string): string {
  return /version$/.test(name) ? name : `${name}::text`;
}
