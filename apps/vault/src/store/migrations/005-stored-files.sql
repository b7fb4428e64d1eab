-- Which blob belongs to which MetaEnvelope. A blob is written between `pending` and `kept`; what is not kept is thrown away
-- after a while: first condemned, then its blob deleted, then the row, so that a crash in between leaves a trace.
create table stored_file (
  owner      text collate "C" not null,
  blob_key   text collate "C" not null,
  record_id  text collate "C" not null,
  size_bytes bigint      not null,
  state      text        not null check (state in ('pending', 'kept', 'condemned')),
  created_at timestamptz not null,
  primary key (owner, blob_key));
create unique index stored_file_of_record on stored_file (owner, record_id);
create index stored_file_not_kept on stored_file (created_at) where state <> 'kept';

-- How many bytes of files an owner has, those of removed MetaEnvelopes and of uploads under way included.
create table file_usage (
  owner      text collate "C" not null,
  used_bytes bigint not null,
  primary key (owner));
