-- Removed binding documents by what they say: an old signature must not bring one back.
create index meta_envelope_removed_binding on meta_envelope (owner, md5(((payload::jsonb) -> 'data')::text))
  where removed and ontology = 'b1d0a8c3-4e5f-6789-0abc-def012345678';
