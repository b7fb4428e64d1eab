-- Challenges of handshakes that are outstanding. An answer deletes its challenge, so that of all answers to it one is judged.
create table handshake_challenge (
  nonce      text        collate "C" not null,
  audience   text        collate "C" not null,   -- the owner's eName
  source     text        collate "C" not null,   -- the address that asked for it
  issued_at  timestamptz not null,
  expires_at timestamptz not null,
  primary key (nonce));
create index handshake_challenge_of_audience on handshake_challenge (audience, source);
create index handshake_challenge_expiry on handshake_challenge (expires_at);

-- Sessions of platforms that a handshake proved. Only the hash of a token is kept.
create table platform_session (
  token_hash     bytea       not null,
  audience       text        collate "C" not null,
  claim          text        not null,           -- JSON
  key_thumbprint text        collate "C",        -- null: bound to no key
  expires_at     timestamptz not null,
  primary key (token_hash));
create index platform_session_expiry on platform_session (expires_at);
