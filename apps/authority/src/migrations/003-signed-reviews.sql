-- What the reviewer's wallet signed under each decision and revocation. The log entry has the digest of it, so that a row cannot be
-- replaced. A row that has to be erased leaves the log's proofs as they are.

create table signed_review (
  id                      bigint      generated always as identity primary key,
  subject                 uuid        not null,        -- the submission that was decided, or the certificate that was revoked
  log_idx                 bigint      unique references log_entry, -- null: a denial, which the log does not have
  reviewer                text        collate "C" not null,
  statement               text,                        -- null: the wallet signed a wallet token
  payload                 text        not null,        -- the text that was signed
  signature               text        not null,
  public_key              text        not null,
  key_binding_certificate text        not null,        -- the registry's, in force at the decision
  shown_from              timestamptz not null);       -- public from then on
create index signed_review_by_subject on signed_review (subject);
