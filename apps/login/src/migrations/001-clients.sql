-- The clients that developers register, the only data that the connector stores (S2 "Client").
create table login_client (
  client_id text primary key,
  owner text not null,
  name text not null,
  redirect_uris text[] not null,
  require_email boolean not null default false,
  confirm_login boolean not null default false,
  -- SHA-256 of the secret in hexadecimal; the secret itself is shown once and not stored.
  secret_hash text not null,
  logo bytea,
  created_at timestamptz not null,
  last_used_at timestamptz
);

create index login_client_by_owner on login_client (owner, created_at, client_id);

-- One row for each client that was created, deleted clients included, so that deleting does not refund the hourly limit.
create table login_client_creation (
  owner text not null,
  created_at timestamptz not null,
  client_id text not null,
  primary key (owner, created_at, client_id)
);
