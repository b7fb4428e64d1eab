-- Quotas in bytes, and a separate quota for guests: what others than the owner write without the owner's grant. What was written
-- before this counts as the owner's, but for what anonymous callers wrote. The tables are read before any of them is locked.
create temporary table version_bytes on commit drop as
select owner, ontology,
       coalesce(sum(octet_length(coalesce(payload, '')) + 512) filter (where credential <> 'anonymous'), 0) as bytes,
       coalesce(sum(octet_length(coalesce(payload, '')) + 512) filter (where credential = 'anonymous'), 0) as guest_bytes
  from change group by owner, ontology;
create temporary table guest_record on commit drop as
select owner, id, ontology from meta_envelope where quarantined and not removed;

alter table record_count
  add column guest_n     bigint not null default 0, -- active MetaEnvelopes of guests, with _acl or without
  add column bytes       bigint not null default 0, -- versions: their payloads and 512 bytes each
  add column guest_bytes bigint not null default 0; -- the same of versions that guests wrote
alter table meta_envelope add column guest boolean not null default false; -- a guest created or revived it, and the owner has not written it since
alter table stored_file add column guest boolean not null default false;
alter table file_usage add column guest_bytes bigint not null default 0; -- files that guests uploaded, which used_bytes leaves out

update meta_envelope m set guest = true from guest_record g where m.owner = g.owner and m.id = g.id and m.quarantined;
insert into record_count (owner, ontology, slot, n, guest_n, bytes, guest_bytes)
select owner, ontology, 0, 0, coalesce(g.n, 0), coalesce(v.bytes, 0), coalesce(v.guest_bytes, 0)
  from version_bytes v
  full join (select owner, ontology, count(*) as n from guest_record group by owner, ontology) as g using (owner, ontology)
    on conflict (owner, ontology, slot) do update
   set guest_n = excluded.guest_n, bytes = excluded.bytes, guest_bytes = excluded.guest_bytes;
