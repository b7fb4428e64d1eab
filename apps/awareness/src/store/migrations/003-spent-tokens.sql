-- Wallet tokens of consumers that have served their one writing request. (A vault on the same database has its own `spent_token`.)

create table spent_consumer_token (
  token      text collate "C" not null primary key,  -- issuer and jti
  expires_at timestamptz      not null);
create index spent_consumer_token_expiry on spent_consumer_token (expires_at);
