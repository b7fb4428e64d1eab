-- Which platform read or wrote records of which domain, by which certificate: one row a day. Its id is a UUIDv7, which orders pages.
-- Certificates are issued by an authority, and deployments are not, so a row has the last deployment only.
create table platform_access (
  owner          text collate "C" not null,
  id             uuid        not null,
  day            date        not null,
  platform       text        not null,
  deployment     text        not null,
  version        text        not null,
  level          text        not null,
  issuer         text        not null,
  certificate_id text        not null,
  domain         text        not null,
  action         text        not null check (action in ('read', 'write')),
  first_at       timestamptz not null,
  last_at        timestamptz not null,
  expires_at     timestamptz not null,
  primary key (owner, id));
create unique index platform_access_of_day
  on platform_access (owner, day, issuer, certificate_id, domain, action);
create index platform_access_expiry on platform_access (expires_at);
