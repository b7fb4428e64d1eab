-- An event's place in the feed is a row of its own: giving it one does not write the event once more, and an event is stored under
-- no index but those that find it.

create table unnumbered (
  ingest_seq bigint not null generated always as identity primary key,
  event_id   uuid   not null)
  with (autovacuum_vacuum_scale_factor = 0.02);

create table feed (
  position bigint not null primary key,              -- given once by the sequencer, in ingest order
  event_id uuid   not null);

insert into feed (position, event_id) select feed_pos, event_id from event where feed_pos is not null order by feed_pos;
insert into unnumbered (event_id) select event_id from event where feed_pos is null order by ingest_seq;
alter table event drop column feed_pos, drop column ingest_seq;
