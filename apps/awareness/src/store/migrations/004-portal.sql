-- Who is signing in to the portal, and who is signed in. What a browser holds is stored as its SHA-256 alone.

create table sign_in (
  session    text        collate "C" not null primary key, -- what the wallet signs
  ename      text        collate "C",                      -- null: no wallet has signed it yet
  expires_at timestamptz not null);
create index sign_in_by_expiry on sign_in (expires_at);

create table visit (
  token_hash  bytea       not null primary key,
  consumer_id uuid        not null references consumer,
  idle_at     timestamptz not null,                        -- over when nothing was asked until then
  expires_at  timestamptz not null);
create index visit_by_expiry on visit (expires_at);
