-- The last replay or redrive of each subscription: it works lane by lane, in the order of their keys, after the lane that it names.
-- The lease is next_at pushed forward; `lease` is the fencing token.

create table replay_job (
  subscription_id uuid             not null primary key references subscription on delete cascade,
  id              uuid             not null,
  since           timestamptz,                     -- null: all dead letters
  after_dsid      text collate "C" not null default '',
  after_record_id text collate "C" not null default '',
  deliveries      int              not null default 0,
  lanes           int              not null default 0,
  busy_lanes      int              not null default 0,
  started_at      timestamptz      not null,
  finished_at     timestamptz,                     -- null: it is running
  next_at         timestamptz      not null,
  lease           uuid);
create index replay_job_due on replay_job (next_at) where finished_at is null;

-- Lanes with dead letters, in the order of their keys.
create index delivery_dead_by_lane on delivery (subscription_id, dsid, record_id) where died_at is not null;
