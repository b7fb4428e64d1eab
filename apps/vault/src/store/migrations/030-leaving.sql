-- Where a vault stands. `importing`: its rows are arriving, and nobody finds it. `arrived`: it is complete and read-only, until the
-- registry names this place. `moving`: it is read-only while it is copied to `moved_to`. `moved`: the registry names `moved_to`, and
-- only its owner may still export or erase it here.
alter table vault
  add column state text not null default 'active' check (state in ('importing', 'arrived', 'active', 'moving', 'moved')),
  add column moved_to text collate "C",
  add column move_id  uuid;                         -- of the move under way: an archive of another moment does not end it
create index vault_unsettled on vault (owner) where state in ('moving', 'arrived');

-- How far an import has come. `header` is the archive's first line.
create table vault_import (
  owner    text collate "C" not null,
  header   text        not null,
  position bigint      not null default 0,          -- entries stored so far
  primary key (owner));

-- Codes with which an operator admits one owner's vault from elsewhere. Only the hash is kept.
create table import_code (
  owner      text        collate "C" not null,
  code_hash  bytea       not null,
  expires_at timestamptz not null,
  primary key (owner, code_hash));

-- Erasures of which the awareness service has not been told yet. `record_id` is empty for the whole vault; `before` is the time up to
-- which events are erased there.
create table erasure (
  owner     text collate "C" not null,
  record_id text collate "C" not null,
  before    timestamptz not null,
  primary key (owner, record_id));

-- Every write inserts a version. It shares a lock with the other writes of its owner, which a move takes alone: so a move begins
-- after every write that was under way, and every later write finds the vault moving. The state is read after the lock is held.
create function refuse_write_of_leaving_vault() returns trigger language plpgsql as $$
declare
  found_state text;
  place text;
begin
  perform pg_advisory_xact_lock_shared(1400002, hashtext(new.owner));
  select v.state, v.moved_to into found_state, place from vault v where v.owner = new.owner;
  if found_state in ('moving', 'arrived') then
    raise exception '%', coalesce(place, '') using errcode = 'DSV01';
  elsif found_state = 'moved' then
    raise exception '%', coalesce(place, '') using errcode = 'DSV02';
  end if;
  return new;
end $$;

create trigger change_of_leaving_vault before insert on change
  for each row execute function refuse_write_of_leaving_vault();
