-- Access policies. The key is the SHA-256 of the block's text, so that a list can be decided policy by policy.

alter table meta_envelope
  add column acl_key text collate "C",
  add constraint acl_block_has_its_key check ((acl_block is null) = (acl_key is null)),
  add constraint acl_block_is_json check (acl_block is null or jsonb_typeof(acl_block::jsonb) = 'object');

create index meta_envelope_by_policy on meta_envelope (owner, acl_key, ord) where acl_key is not null;

-- Which builds may read an owner's rows: one that knows less than min_reader would decide by the array what a policy decides.
-- A build of level N refuses to start where anything above N is here.
create table reader_level (
  owner      text collate "C" not null,
  min_reader int not null,
  primary key (owner, min_reader));
