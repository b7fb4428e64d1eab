-- Platform authentication at this service: challenges that are outstanding, and sessions that a handshake opened.
create table consumer_challenge (
  nonce      text        collate "C" not null primary key,
  audience   text        collate "C" not null,   -- this service's origin
  source     text        collate "C" not null,   -- the address that asked for it
  issued_at  timestamptz not null,
  expires_at timestamptz not null);
create index consumer_challenge_of_audience on consumer_challenge (audience, source);
create index consumer_challenge_expiry on consumer_challenge (expires_at);

create table consumer_session (
  token_hash     bytea       not null primary key,
  audience       text        collate "C" not null,
  claim          text        not null,           -- JSON
  key_thumbprint text        collate "C",        -- null: bound to no key
  expires_at     timestamptz not null);
create index consumer_session_expiry on consumer_session (expires_at);

-- What groups state about their members, by their newest events: a row for each self-manifest. `denied` is null for everybody.
create table delivery_group_statement (
  dsid      text        collate "C" not null,    -- the group
  record_id text        collate "C" not null,
  ord       timestamptz not null,                -- of the record's first event
  by_owner  boolean     not null,
  statement text        not null,                -- the same by member field, from which the next one is made
  granted   text[]      not null,
  denied    text[],
  primary key (dsid, record_id));
create index delivery_group_statement_newest on delivery_group_statement (dsid, ord desc, record_id desc);

-- Signed readings, which meet the conditions of policies.
create table delivery_reading (
  dsid      text        collate "C" not null,    -- the subject
  record_id text        collate "C" not null,
  ontology  text        collate "C" not null,
  ord       timestamptz not null,
  payload   text        not null,
  primary key (dsid, record_id));
create index delivery_reading_newest on delivery_reading (dsid, ontology, ord desc, record_id desc);
