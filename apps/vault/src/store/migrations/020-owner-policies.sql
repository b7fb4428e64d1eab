-- The access policy that each owner signed last. Its row is written by the transaction that creates its MetaEnvelope, and only ever
-- goes forward: a statement that is not newer than this one is refused.
create table owner_policy (
  owner     text collate "C" not null,
  issued_at timestamptz not null,
  record_id text collate "C" not null,
  policy    text        not null,               -- {statement, payload, signature, signer} as it was written
  primary key (owner));

-- What an evidence session may see of the log: by ontology, newest first.
create index change_by_ontology on change (owner, ontology, log_id) where not baseline;
