-- A subscription that was paused 30 days ago is removed, and a removed one is deleted with its rows.

alter table subscription add column paused_at timestamptz, add column removed_at timestamptz;
update subscription set paused_at = now() where not active and not removed;
update subscription set removed_at = now() where removed;
create index subscription_paused on subscription (paused_at) where not active and not removed;
create index subscription_removed on subscription (removed_at) where removed_at is not null;
