-- The wallet tokens with which developers have changed a client by the management API; each serves one change.
create table spent_developer_token (
  token text primary key,
  expires_at timestamptz not null
);

create index spent_developer_token_expiry on spent_developer_token (expires_at);
