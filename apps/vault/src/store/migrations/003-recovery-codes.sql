-- Codes that an operator gives to an owner who has lost every key. Only the hash is kept.
create table recovery_code (
  owner      text        collate "C" not null,
  code_hash  bytea       not null,
  issued_at  timestamptz not null,
  expires_at timestamptz not null,
  spent_at   timestamptz,
  primary key (owner, code_hash));
