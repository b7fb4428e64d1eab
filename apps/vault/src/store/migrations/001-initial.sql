-- One owner's data. The owner comes first in every key: one statement touches one owner, so the same statements run on one
-- PostgreSQL and on Citus with `owner` as the distribution column. Ids, order and times are made by the application, and
-- what is compared or ordered is so by code point, whatever the locale of the server.

create table vault (
  owner      text collate "C" not null,
  vault_id   text collate "C" not null,
  created_at timestamptz not null,
  primary key (owner));

create table meta_envelope (
  owner      text collate "C" not null,
  id         text collate "C" not null,
  ontology   text collate "C" not null,
  payload    text        not null,               -- the JSON text as written, kept when removed; nothing is read out of jsonb
  acl        text[],                             -- legacy access array; null: the owner alone
  acl_block  text,                               -- _acl as JSON text; decides alone when present
  version    int         not null,               -- 0: written before versioning
  removed    boolean     not null default false,
  quarantined boolean    not null default false, -- stored by an anonymous caller and not yet touched by the owner
  credential text        not null,               -- what the last writer proved itself with
  ord        bigint      not null,               -- creation order: microseconds, monotonic per process
  search     text collate "C" not null,          -- folded values between unit separators
  primary key (owner, id));
-- Lists are ordered by ord, then id; ord alone tells nearly all apart, so the id is not carried in these.
create index meta_envelope_by_ontology on meta_envelope (owner, ontology, ord) where not removed;
create index meta_envelope_by_ord on meta_envelope (owner, ord) where not removed;

-- Version history and operation log in one append-only row per write.
create table change (
  owner         text collate "C" not null,
  record_id     text collate "C" not null,
  version       int         not null,
  log_id        uuid        not null,               -- UUIDv7: order and cursor of GET /logs
  operation     text        not null check (operation in ('create', 'update', 'delete')),
  log_operation text        check (log_operation in ('update_envelope_value')), -- null: as operation
  baseline      boolean     not null default false, -- history only, not in the log
  suppressed    boolean     not null default false, -- its event is recorded but never delivered
  ontology      text collate "C" not null,
  payload       text,                               -- null for a delete
  envelope_hash bytea       not null,
  platform      text,
  author        text,                               -- asserted
  subject       text,                               -- the eName that the credential proves
  credential    text        not null,
  restored_from int,
  at            timestamptz not null,
  primary key (owner, record_id, version));
create unique index change_log on change (owner, log_id);

-- The outbox: one row per event until the awareness service has acknowledged it.
create table change_event (
  owner               text collate "C" not null,
  stream_id           text collate "C" not null,
  stream_version      int         not null,
  event_id            uuid        not null,
  body                text        not null,         -- the webhook's bytes, frozen at commit
  requesting_platform text,
  policy              text        not null,         -- sent beside the body, never in it
  occurred_at         timestamptz not null,
  primary key (owner, stream_id, stream_version))
  with (autovacuum_vacuum_scale_factor = 0.01);

-- One stream's place in the outbox. The lease is next_at pushed forward; `lease` is the fencing token.
create table outbox_lane (
  owner        text collate "C" not null,
  stream_id    text collate "C" not null,
  tail_version int         not null,
  done_version int         not null,
  next_at      timestamptz,
  lease        uuid,
  attempts     int         not null default 0,
  primary key (owner, stream_id))
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.01);
create index outbox_lane_due on outbox_lane (next_at) where next_at is not null;

-- How many active MetaEnvelopes without _acl an owner has, in slots so that parallel creates do not queue on one row.
create table record_count (
  owner    text collate "C" not null,
  ontology text collate "C" not null,
  slot     int    not null,
  n        bigint not null,
  primary key (owner, ontology, slot))
  with (fillfactor = 50, autovacuum_vacuum_scale_factor = 0.01);

-- The key log: in force while removed_at is null.
create table owner_key (
  owner      text collate "C" not null,
  key_id     text collate "C" not null,
  public_key text        not null,                  -- verbatim, as it is certified
  point      text collate "C" not null,                  -- what is compared: the uncompressed point, hex
  added_at   timestamptz not null,
  added_by   text        not null,
  removed_at timestamptz,
  removed_by text,
  primary key (owner, point, added_at));
create unique index owner_key_in_force on owner_key (owner, point) where removed_at is null;

-- Wallet tokens that have served their one writing request.
create table spent_token (
  owner      text collate "C" not null,
  token      text collate "C" not null,                  -- issuer and jti
  expires_at timestamptz not null,
  primary key (owner, token));
create index spent_token_expiry on spent_token (expires_at);
