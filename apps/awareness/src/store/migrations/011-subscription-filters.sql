-- What active subscriptions are found by: each vault of a vault filter; without one, each ontology of an ontology filter; without both,
-- one row of kind `all`. Every statement that writes a subscription thus maintains them.

create table subscription_filter (
  kind            text             not null check (kind in ('vault', 'ontology', 'all')),
  value           text collate "C" not null,
  subscription_id uuid             not null references subscription on delete cascade,
  primary key (kind, value, subscription_id));
create index subscription_filter_by_subscription on subscription_filter (subscription_id);

create function write_subscription_filter() returns trigger language plpgsql as $$
begin
  delete from subscription_filter where subscription_id = new.id;
  if new.removed or not new.active then
    return null;
  end if;
  insert into subscription_filter (kind, value, subscription_id)
  select distinct kind, value, new.id from (
    select 'vault' as kind, vault as value from unnest(new.vault_filter) as vault
    union all
    select 'ontology', ontology from unnest(new.ontology_filter) as ontology where new.vault_filter = '{}'
    union all
    select 'all', '' where new.vault_filter = '{}' and new.ontology_filter = '{}') as filter;
  return null;
end $$;

create trigger subscription_filter_of_subscription
  after insert or update of vault_filter, ontology_filter, active, removed on subscription
  for each row execute function write_subscription_filter();

update subscription set active = active where active and not removed;
