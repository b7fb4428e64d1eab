-- optional: speeds up search terms of three and more letters; every search is right without it
create extension if not exists pg_trgm;
create extension if not exists btree_gin;
create index meta_envelope_search on meta_envelope using gin (owner, search gin_trgm_ops) where not removed;
