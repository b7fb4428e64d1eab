-- The trace that an event belongs to, for the spans of its delivery; null where its vault exports no traces.
alter table event add column traceparent text collate "C";
