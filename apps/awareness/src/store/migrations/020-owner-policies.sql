-- The newest access policy known of each owner, which decides over platforms with evidence at each attempt and each reading.
create table delivery_owner_policy (
  dsid      text collate "C" not null primary key,
  issued_at timestamptz      not null,
  statement text             not null);             -- as the owner signed it

-- What a platform has proven by evidence, with when its certificate ends.
alter table consumer add column claim text;
