-- What led to an address is asked for, too.
CREATE INDEX bindings_by_address ON bindings (address);
CREATE INDEX observations_by_address ON observations (address);
