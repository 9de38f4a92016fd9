-- How a feed came in and what became of it. The counts are null for runs of older versions and for
-- those that did not finish. `refusals` is JSON, a few kilobytes at most.
ALTER TABLE imports
  ADD COLUMN via text NOT NULL DEFAULT 'file',
  ADD COLUMN accepted bigint,
  ADD COLUMN adjusted bigint,
  ADD COLUMN rejected bigint,
  ADD COLUMN removed bigint,
  ADD COLUMN refusals text;

UPDATE imports SET via = 'push' WHERE source = 'POST /operator/feed';

CREATE INDEX imports_by_way ON imports (via, id);
