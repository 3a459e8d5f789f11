-- What was normal for all traffic of the victim, packets a second; null: it was not learnt.
ALTER TABLE events ADD COLUMN normal_packets_per_second REAL;
