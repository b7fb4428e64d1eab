-- The vault of each eName: exactly one row per eName, `id` is the order of registration.
create table registration (
  id bigint generated always as identity primary key,
  ename text not null unique,
  uri text not null,
  vault text not null,
  registered_at_ms bigint not null,
  changed_at_ms bigint not null
);

-- Every key that ever signed here, public part only. A retired key stays published for a year, so that what it signed
-- (platform tokens live that long) can still be verified.
create table registry_key (
  kid text primary key,
  public_jwk jsonb not null,
  first_signed_at_ms bigint not null,
  retired_at_ms bigint
);

-- Base addresses of the platforms that asked for a legacy platform token under an http(s) name.
create table registry_platform (
  base_url text primary key,
  first_certified_at_ms bigint not null
);
