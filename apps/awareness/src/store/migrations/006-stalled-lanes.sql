-- Lanes that have something to do and are never due: there must be none, and looking for them must cost nothing.
create index lane_stalled on lane (subscription_id) where next_at is null and tail_version > done_version;
