-- Each subscription has its own room for what is under way, so due lanes are looked up subscription by subscription: one with a
-- great backlog costs the others nothing.

drop index lane_due;
create index lane_due_by_subscription on lane (subscription_id, next_at) where next_at is not null;
