-- Codes that the operator issues, each good for one vault. Only digests: who reads the table cannot use them.
create table verification_code (
  code_hash bytea primary key,
  issued_at_ms bigint not null,
  used_at_ms bigint,
  used_by_entropy_hash bytea
);

-- Every entropy that became an eName, written together with the vault itself. `registered_at_ms` is null until the
-- registry knows the vault; the same request may be repeated until then.
create table provision_entropy (
  entropy_hash bytea primary key,
  owner text not null unique,
  vault_id text not null,
  uri text not null,
  request_hash bytea not null,
  spent_at_ms bigint not null,
  registered_at_ms bigint
);

create index provision_entropy_unregistered on provision_entropy (spent_at_ms) where registered_at_ms is null;
