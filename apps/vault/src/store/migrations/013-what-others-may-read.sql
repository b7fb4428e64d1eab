-- What others than the owner may read, found without reading anything else: for each array the readers it admits, and for each
-- record that an array or a policy shares the log entries. A record's read key is its policy's key, or else its array's key.

create function array_key(acl text[], opened_by text, quarantined boolean) returns text
  language sql immutable parallel safe as $$
  select encode(sha256(convert_to(
    case when quarantined then '' else coalesce(array_to_string(acl, ' '), '') end || '/' || coalesce(opened_by, ''), 'UTF8')), 'hex') $$;

create function read_key(acl_key text, acl text[], opened_by text, quarantined boolean) returns text
  language sql immutable parallel safe as $$
  select case when acl_key is not null then acl_key
              when acl is not null and not quarantined or opened_by is not null then array_key(acl, opened_by, quarantined) end $$;

create table array_reader (
  owner     text collate "C" not null,
  reader    text collate "C" not null,              -- an eName, or * for every authenticated caller
  array_key text collate "C" not null,
  primary key (owner, reader, array_key));

create table shared_log (
  owner     text collate "C" not null,
  read_key  text collate "C" not null,              -- of the record as it is now
  log_id    uuid        not null,
  primary key (owner, read_key, log_id));

create index meta_envelope_by_array on meta_envelope (owner, array_key(acl, opened_by, quarantined), ord)
  where (acl is not null or opened_by is not null) and acl_key is null and not removed;
drop index meta_envelope_shared;

-- It runs at the end of the statement that writes a record, so the log entry of that write is there.
create function share_meta_envelope() returns trigger language plpgsql as $$
declare
  key_before text;
  key_now text := read_key(new.acl_key, new.acl, new.opened_by, new.quarantined);
begin
  if tg_op = 'UPDATE' then
    key_before := read_key(old.acl_key, old.acl, old.opened_by, old.quarantined);
  end if;
  if key_before = key_now then
    insert into shared_log (owner, read_key, log_id)
    select c.owner, key_now, c.log_id from change c
     where c.owner = new.owner and c.record_id = new.id and c.version = new.version and not c.baseline
        on conflict do nothing;
    return null;
  end if;
  if key_before is not null then
    delete from shared_log s using change c
     where c.owner = old.owner and c.record_id = old.id
       and s.owner = c.owner and s.read_key = key_before and s.log_id = c.log_id;
  end if;
  if key_now is not null then
    insert into shared_log (owner, read_key, log_id)
    select c.owner, key_now, c.log_id from change c
     where c.owner = new.owner and c.record_id = new.id and not c.baseline
        on conflict do nothing;
    if new.acl_key is null then
      insert into array_reader (owner, reader, array_key)
      select distinct new.owner, reader, key_now
        from unnest(case when new.quarantined then '{}' else new.acl end || new.opened_by) as admitted (reader)
       where reader is not null order by reader
          on conflict do nothing;
    end if;
  end if;
  return null;
end $$;

create trigger share_created after insert on meta_envelope for each row
  when (new.acl is not null or new.acl_key is not null or new.opened_by is not null)
  execute function share_meta_envelope();
create trigger share_updated after update on meta_envelope for each row
  when (new.acl is not null or new.acl_key is not null or new.opened_by is not null
        or old.acl is not null or old.acl_key is not null or old.opened_by is not null)
  execute function share_meta_envelope();

insert into array_reader (owner, reader, array_key)
select distinct owner, reader, array_key(acl, opened_by, quarantined)
  from meta_envelope, unnest(case when quarantined then '{}' else acl end || opened_by) as admitted (reader)
 where acl_key is null and (acl is not null or opened_by is not null) and reader is not null;

insert into shared_log (owner, read_key, log_id)
select c.owner, shared.key, c.log_id
  from (select owner, id, read_key(acl_key, acl, opened_by, quarantined) as key from meta_envelope) as shared
  join change c on c.owner = shared.owner and c.record_id = shared.id and not c.baseline
 where shared.key is not null;
