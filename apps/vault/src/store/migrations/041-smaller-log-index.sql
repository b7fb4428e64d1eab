-- online: change has a row for each version
-- What an evidence session may see of the log, by a hash of owner and ontology: 66 bytes for each version instead of 167. The statement
-- compares owner and ontology too, so a hash that two pairs share shows nothing of the other pair.
create index concurrently if not exists change_by_kind on change (hashtextextended(owner || ontology, 0), log_id) where not baseline;
drop index concurrently if exists change_by_ontology;
