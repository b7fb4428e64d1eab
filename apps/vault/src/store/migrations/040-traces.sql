-- The trace that a mutation belongs to, for the spans of its delivery; written only where traces are exported.
alter table change_event add column traceparent text collate "C";
