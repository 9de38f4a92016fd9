-- How a feed came in and what became of it. The counts are null for runs of older versions and for
-- those that did not finish. `refusals` is JSON, a few kilobytes at most.
ALTER TABLE imports ADD COLUMN via TEXT NOT NULL DEFAULT 'file';
ALTER TABLE imports ADD COLUMN accepted INTEGER;
ALTER TABLE imports ADD COLUMN adjusted INTEGER;
ALTER TABLE imports ADD COLUMN rejected INTEGER;
ALTER TABLE imports ADD COLUMN removed INTEGER;
ALTER TABLE imports ADD COLUMN refusals TEXT;

UPDATE imports SET via = 'push' WHERE source = 'POST /operator/feed';

CREATE INDEX imports_by_way ON imports (via, id);
