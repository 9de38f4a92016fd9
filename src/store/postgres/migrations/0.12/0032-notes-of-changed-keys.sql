-- The removal of old notes is planned when there are none, and would then read all of the last hour for each changed key: a
-- replacement of the master key changes all of them.
ALTER FUNCTION note_key_change() SET enable_seqscan = off;
