-- The day each purchase code was last asked for. Not a column of the purchase: an update writes the whole row
-- anew. No foreign key: it would lock the purchase for every note.
CREATE TABLE asked_codes (
  code text COLLATE "C" PRIMARY KEY,
  day  text NOT NULL
);
