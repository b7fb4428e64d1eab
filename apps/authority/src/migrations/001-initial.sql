-- Every key that ever signed here, public part only. A retired key stays published while a certificate of it may be in force.
create table authority_key (
  kid text primary key,
  public_jwk jsonb not null,
  first_signed_at_ms bigint not null,
  retired_at_ms bigint
);

-- Releases that authors asked to have certified. The signed text is stored byte for byte.
create table submission (
  id uuid primary key,
  platform text collate "C" not null,
  version text collate "C" not null,
  signer text collate "C" not null,
  nonce text collate "C" not null,
  sha256 text collate "C" not null unique,
  statement_text text not null,
  payload text not null,
  signature text not null,
  public_key text not null,
  key_certificate text not null,
  received_at timestamptz not null,
  decision text check (decision in ('granted', 'denied')),
  decided_at timestamptz,
  decided_by text,
  reason text,
  unique (signer, nonce)
);

-- One release is certified once: another text for the same version is never granted beside it.
create unique index submission_granted on submission (platform, version) where decision = 'granted';
create index submission_pending on submission (received_at, id) where decision is null;
create index submission_pending_by_signer on submission (signer) where decision is null;
create index submission_by_platform on submission (platform, version);

create table certificate (
  jti uuid primary key,
  -- The place in the status lists; each list has 131,072 places.
  idx integer not null unique,
  submission_id uuid not null references submission,
  platform text collate "C" not null,
  version text collate "C" not null,
  jws text not null,
  expires_at timestamptz not null,
  revoked_at timestamptz,
  revoked_by text,
  reason text
);

create index certificate_by_submission on certificate (submission_id, idx);
create index certificate_by_release on certificate (platform, version, idx);
create index certificate_revoked on certificate (idx) where revoked_at is not null;

-- The append-only log of what was issued and revoked: a Merkle tree (RFC 9162) over the entries' texts.
create table log_entry (
  idx bigint primary key,
  entry text not null
);

-- The hashes of the complete subtrees of 2^level entries.
create table log_node (
  level smallint not null,
  idx bigint not null,
  hash bytea not null,
  primary key (level, idx)
);

create table spent_reviewer_token (
  token text primary key,
  expires_at timestamptz not null
);

create index spent_reviewer_token_expiry on spent_reviewer_token (expires_at);
