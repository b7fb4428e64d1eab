-- Who opened a social_connection in another's vault, and so may read it there; null: the owner wrote it.
alter table meta_envelope add column opened_by text collate "C";
create index meta_envelope_by_binding_type on meta_envelope (owner, (payload::json ->> 'type'), ord)
  where not removed and ontology = 'b1d0a8c3-4e5f-6789-0abc-def012345678';
