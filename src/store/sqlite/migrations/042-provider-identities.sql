-- Who users are at a provider of single sign-on, as it names them: one of each provider.
CREATE TABLE provider_identities (
  issuer TEXT NOT NULL,
  subject TEXT NOT NULL,
  user_id TEXT NOT NULL REFERENCES users (id) ON DELETE CASCADE,
  created_ms INTEGER NOT NULL,
  UNIQUE (issuer, subject),
  UNIQUE (user_id, issuer)
) STRICT;
