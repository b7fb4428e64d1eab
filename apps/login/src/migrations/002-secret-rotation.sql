-- After a rotation the secret before it stays valid for a while, so that nobody is locked out while the new one is installed.
alter table login_client
  add column previous_secret_hash text,
  add column previous_secret_ends_at timestamptz,
  add constraint login_client_previous_secret check ((previous_secret_hash is null) = (previous_secret_ends_at is null));
