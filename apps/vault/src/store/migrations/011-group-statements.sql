-- What the versions of self-manifests say of a group's members. A row never changes but for `current`: whether its record counts
-- now. `granted` are the members whom the owner wrote, where the owner wrote the version; `denied` are those whom a denial of the
-- group binds, null for everybody.
create table group_statement (
  owner     text collate "C" not null,
  record_id text collate "C" not null,
  version   int         not null,
  ord       bigint      not null,
  current   boolean     not null,
  by_owner  boolean     not null,
  statement text        not null,                -- the same by member field, from which the next one is made
  granted   text[]      not null,
  denied    text[],
  primary key (owner, record_id, version));
create index group_statement_current on group_statement (owner, ord desc) where current;

create function pg_temp.names(payload jsonb, field text) returns text[] language sql as $$
  select coalesce(array_agg(distinct name), '{}')
    from (select '@' || lower(ltrim(btrim(value), '@')) as name
            from jsonb_array_elements_text(case jsonb_typeof(payload -> field) when 'array' then payload -> field
                   when 'string' then jsonb_build_array(payload -> field) else '[]' end) as element (value)) as named
   where name ~ '^@[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$' $$;

create function pg_temp.is_manifest(owner text, ontology text, payload jsonb) returns boolean language sql as $$
  select ontology in ('a8bfb7cf-3200-4b25-9ea9-ee41100f212e', '550e8400-e29b-41d4-a716-446655440003')
     and (array[owner] <@ pg_temp.names(payload, 'eName') or array[owner] <@ pg_temp.names(payload, 'ename')) $$;

-- Versions that were written before this: a value counts as written by whoever changed it last. Where somebody else than the
-- owner ever wrote, the fields that the owner has not changed since give no grants, and whoever was named stays denied.
create temporary table manifest_version on commit drop as
select c.owner, c.record_id, c.version, c.payload::jsonb as payload, c.operation = 'delete' as removes,
       (c.credential = 'wallet-token' and c.subject = c.owner or c.credential = 'asserted') as by_owner,
       c.payload is not null and pg_temp.is_manifest(c.owner, c.ontology, c.payload::jsonb) as says
  from change c
 where exists (select 1 from change o
                where o.owner = c.owner and o.record_id = c.record_id and o.payload is not null
                  and pg_temp.is_manifest(o.owner, o.ontology, o.payload::jsonb));

insert into manifest_version
select m.owner, m.id, 0, m.payload::jsonb, false, false, true from meta_envelope m
 where m.version = 0 and pg_temp.is_manifest(m.owner, m.ontology, m.payload::jsonb);

insert into group_statement (owner, record_id, version, ord, current, by_owner, statement, granted, denied)
select said.owner, said.record_id, said.version, m.ord,
       said.version = m.version and not m.quarantined, said.by_owner,
       json_build_object('granted', said.granted, 'denied', said.denied)::text,
       case when said.by_owner then array(select distinct jsonb_array_elements_text(value) from jsonb_each(said.granted)) else '{}' end,
       array(select distinct jsonb_array_elements_text(value) from jsonb_each(said.denied))
  from (
    select v.owner, v.record_id, v.version, v.by_owner,
           jsonb_object_agg(field, case
             when other.version is null or v.by_owner and v.payload -> field is distinct from other.payload -> field
             then to_jsonb(pg_temp.names(v.payload, field)) else '[]' end) as granted,
           jsonb_object_agg(field, case
             when other.version is null then to_jsonb(pg_temp.names(v.payload, field))
             else (select coalesce(jsonb_agg(distinct name), '[]') from manifest_version e
                     cross join lateral unnest(pg_temp.names(e.payload, field)) as named (name)
                    where e.owner = v.owner and e.record_id = v.record_id and e.version <= v.version) end) as denied
      from manifest_version v
      left join lateral (select o.version, o.payload from manifest_version o
                          where o.owner = v.owner and o.record_id = v.record_id and not o.by_owner and o.version <= v.version
                          order by o.version desc limit 1) as other on true
      cross join unnest(array['members', 'memberIds', 'participants', 'participantIds', 'admins', 'owner']) as field
     where not (v.by_owner and not v.says)
     group by v.owner, v.record_id, v.version, v.by_owner, other.version) as said
  join meta_envelope m on m.owner = said.owner and m.id = said.record_id;

drop function pg_temp.is_manifest(text, text, jsonb);
drop function pg_temp.names(jsonb, text);
