-- The review pages: who is signing in, who is signed in, and which decisions wait for a signature.
-- What a browser holds is stored as its SHA-256 alone.

create table review_sign_in (
  session    text        collate "C" not null primary key, -- what the wallet signs
  ename      text        collate "C",                      -- null: no wallet has signed it yet
  expires_at timestamptz not null);
create index review_sign_in_by_expiry on review_sign_in (expires_at);

create table review_visit (
  token_hash bytea       not null primary key,
  ename      text        collate "C" not null,
  idle_at    timestamptz not null,                         -- over when nothing was asked until then
  expires_at timestamptz not null);
create index review_visit_by_expiry on review_visit (expires_at);
create index review_visit_by_ename on review_visit (ename, expires_at);

-- A request is done when its session is among the spent reviewer tokens.
create table review_request (
  session    text        collate "C" not null primary key, -- what the wallet's answer names
  visit      bytea       not null,                         -- the visit that asked
  reviewer   text        collate "C" not null,
  act        text        not null check (act in ('decide', 'revoke')),
  subject    uuid        not null,                         -- the submission or the certificate
  input      jsonb       not null,
  statement  text        not null,                         -- the wallet signs its digest
  refusal    jsonb,                                        -- why nothing was done; null: not refused
  expires_at timestamptz not null);
create index review_request_by_expiry on review_request (expires_at);
create index review_request_by_reviewer on review_request (reviewer, expires_at);

create index submission_decided on submission (decided_at desc, id desc) where decision is not null;
create index submission_of_platform on submission (platform, received_at desc, id desc);
