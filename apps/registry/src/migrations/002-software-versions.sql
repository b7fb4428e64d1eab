-- The release that each version eName stands for. A row never changes: a version is one release.
create table software_version (
  id bigint generated always as identity primary key,
  ename text not null unique,
  platform_ename text not null,
  version text not null,
  release_tag text not null,
  commit_sha text not null,
  recorded_at_ms bigint not null
);
