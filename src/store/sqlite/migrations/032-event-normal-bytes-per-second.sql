-- The octets of the packets that were normal: `normalPacketsPerSecond` times their mean length. Null: that was not learnt, or an older version reported the event.
ALTER TABLE events ADD COLUMN normal_bytes_per_second REAL;
