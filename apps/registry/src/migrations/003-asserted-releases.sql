-- A release that was recorded by a legacy platform token is only asserted: a holder of the shared secret may replace it.
alter table software_version add column asserted boolean not null default false;
