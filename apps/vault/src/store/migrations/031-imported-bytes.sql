-- The bytes of an import's rows that no counter of a vault at work counts, so that the owner's quota bounds them too. `other_bytes` are
-- of keys, groups, policies, access, answers and tokens; `repeated_bytes` of records and events, which repeat what versions hold.
alter table vault_import
  add column other_bytes    bigint not null default 0,
  add column repeated_bytes bigint not null default 0;
