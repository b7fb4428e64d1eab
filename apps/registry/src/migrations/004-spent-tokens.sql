-- Wallet tokens with which owners have moved their vaults. (Other services on the same database have tables of their own.)
create table spent_registry_token (
  token      text collate "C" not null primary key,
  expires_at timestamptz      not null);
create index spent_registry_token_expiry on spent_registry_token (expires_at);
