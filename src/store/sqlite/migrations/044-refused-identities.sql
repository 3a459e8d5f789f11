-- When the provider vouched for the user and it was not enough, since which tokens of the user are good for nothing; null: it was enough.
ALTER TABLE provider_identities ADD COLUMN refused_ms INTEGER;
