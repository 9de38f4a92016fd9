-- What the feed said of the account or purchase at that time; null where it was not asked.
ALTER TABLE audit_events ADD COLUMN by_feed boolean;
