-- What vaults have told, who wants to hear of it, and how far each has heard. Order within a stream rests on stream_version and
-- lanes alone, never on a clock.

create table consumer (
  id         uuid        not null primary key,
  name       text        not null,
  ename      text collate "C",                       -- of a wallet or platform credential; null: made in the portal
  platform   text,                                   -- the platform that it is, once it counts as one (decisions E4, E9)
  approved   boolean     not null default false,     -- an operator's word that it is a platform
  created_at timestamptz not null);
create unique index consumer_by_ename on consumer (ename) where ename is not null;

create table api_key (
  key_hash    bytea       not null primary key,      -- SHA-256; the key itself is shown once
  consumer_id uuid        not null references consumer,
  label       text        not null,
  prefix      text        not null,                  -- the first characters, to tell keys apart
  created_at  timestamptz not null,
  revoked_at  timestamptz);
create index api_key_by_consumer on api_key (consumer_id, created_at);

create table subscription (
  id              uuid        not null primary key,
  consumer_id     uuid        not null references consumer,
  target_url      text        not null,
  ontology_filter text[]      not null,              -- empty: all
  vault_filter    text[]      not null,              -- empty: all
  active          boolean     not null default true,
  removed         boolean     not null default false,
  created_at      timestamptz not null,
  -- the endpoint's circuit
  failures        int         not null default 0,    -- consecutive transport errors, 5xx and 429
  failed_lanes    text[]      not null default '{}', -- up to three of the lanes that they were on
  opened_at       timestamptz,                       -- null: closed
  probe_at        timestamptz,
  failed_probes   int         not null default 0,
  in_flight_limit int);                              -- while it is half open: 1, 2, 4 ...; null: the normal cap
create index subscription_by_consumer on subscription (consumer_id, created_at) where not removed;

create table subscription_secret (
  subscription_id uuid        not null references subscription,
  sealed          bytea       not null,              -- the whsec_ secret, sealed by DS_SECRET
  added_at        timestamptz not null,
  not_after       timestamptz,                       -- null: the current one
  primary key (subscription_id, added_at));

create table event (
  event_id            uuid        not null primary key,
  ingest_seq          bigint      not null generated always as identity unique,
  feed_pos            bigint      unique,            -- set once by the sequencer, in ingest order
  dsid                text collate "C" not null,     -- the owner
  record_id           text collate "C" not null,
  stream_version      int         not null,
  schema_id           text collate "C" not null,
  operation           text        not null,
  body                text        not null,          -- the webhook's bytes, frozen at the vault
  requesting_platform text,
  policy              text        not null,          -- {acl, _acl, owner} as ingested
  occurred_at         timestamptz not null,
  received_at         timestamptz not null,
  unique (dsid, record_id, stream_version));
create index event_unsequenced on event (ingest_seq) where feed_pos is null;
create index event_by_schema on event (schema_id, feed_pos);

-- The for-ever filter of repeats, and the newest policy known of a record (decision E4).
create table stream_head (
  dsid         text collate "C" not null,
  record_id    text collate "C" not null,
  last_version int         not null,
  policy       text        not null,
  primary key (dsid, record_id))
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);

-- One stream's way to one subscription. The lease is next_at pushed forward; `lease` is the fencing token.
create table lane (
  subscription_id uuid        not null,
  dsid            text collate "C" not null,
  record_id       text collate "C" not null,
  tail_version    int         not null,
  done_version    int         not null default 0,
  next_at         timestamptz,
  lease           uuid,
  attempts        int         not null default 0,    -- of the delivery that is next
  primary key (subscription_id, dsid, record_id))
  with (fillfactor = 70, autovacuum_vacuum_scale_factor = 0.02);
create index lane_due on lane (next_at) where next_at is not null;

create table delivery (
  subscription_id uuid        not null,
  dsid            text collate "C" not null,
  record_id       text collate "C" not null,
  stream_version  int         not null,
  event_id        uuid        not null,
  state           text        not null default 'pending' check (state in ('pending', 'delivered', 'dead', 'skipped')),
  reason          text,                              -- of dead and skipped ones
  replay          boolean     not null default false,
  deadline        timestamptz not null,
  settled_at      timestamptz,
  primary key (subscription_id, dsid, record_id, stream_version));
create index delivery_dead on delivery (subscription_id, settled_at) where state = 'dead';

create table attempt (
  id              uuid        not null primary key,  -- UUIDv7: their order
  subscription_id uuid        not null,
  event_id        uuid        not null,
  number          int         not null,
  started_at      timestamptz not null,
  duration_ms     int         not null,
  status          int,                               -- null: no answer
  error           text,                              -- a code: timeout, unreachable, forbidden_target, ...
  answer          text);                             -- its first 16 KiB
create index attempt_by_subscription on attempt (subscription_id, id);
create index attempt_by_event on attempt (event_id, id);
