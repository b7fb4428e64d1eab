-- What is over is dropped after 30 days: each event with its deliveries, once all of them are settled.

create index delivery_by_event on delivery (event_id);

-- The highest place in the feed that was purged: the feed's places go on above it, and a reader that is below it has missed something.
create table feed_horizon (
  purged_to bigint  not null,
  only_row  boolean not null default true primary key check (only_row));
insert into feed_horizon (purged_to) values (0);
