-- Answers to requests with an Idempotency-Key, for a day. A row is written, and its answer filled in, by the transaction that
-- does the request's writes, so that there is an answer if and only if they are done.
create table idempotent_answer (
  owner      text        collate "C" not null,
  caller     text        collate "C" not null,
  key_hash   bytea       not null,
  body_hash  bytea       not null,
  expires_at timestamptz not null,
  answer     text,                               -- the body as it was sent; null only within the transaction
  primary key (owner, caller, key_hash));
create index idempotent_answer_expiry on idempotent_answer (expires_at);

-- Those that record_count leaves out, for the owner's total.
create index meta_envelope_with_policy on meta_envelope (owner) where acl_block is not null and not removed;
