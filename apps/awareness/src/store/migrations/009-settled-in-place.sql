-- A delivery that is settled changes no column that an index holds, and leaves room on its page for that.

alter table delivery add column died_at timestamptz generated always as (case when state = 'dead' then settled_at end) stored;
drop index delivery_dead;
create index delivery_dead on delivery (subscription_id, died_at) where died_at is not null;
alter table delivery set (fillfactor = 60);
