-- Every delivery writes an attempt, and every event an event: what no question reads is not kept in order. Attempts are told apart
-- within their subscription, which is also the order in which they are listed; events are read by the feed in its order alone.

alter table attempt drop constraint attempt_pkey, add primary key (subscription_id, id);
drop index attempt_by_subscription;
drop index event_by_schema;
