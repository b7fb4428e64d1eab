-- What others than the owner may see without a policy, in creation order: a list for somebody else need not read through what is
-- the owner's alone.
create index meta_envelope_shared on meta_envelope (owner, ord)
 where (acl is not null or opened_by is not null) and acl_key is null and not removed;
