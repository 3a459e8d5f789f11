-- The mean of all traffic of the victim before the attack; `normalPacketsPerSecond` is the highest that is normal. Null: that was not learnt, or an older version reported the event.
ALTER TABLE events ADD COLUMN usual_packets_per_second REAL;
