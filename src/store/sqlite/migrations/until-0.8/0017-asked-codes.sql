-- The day each purchase code was last asked for. Not a column of the purchase: a row of these is a twentieth as
-- long, so that writing many of them changes few pages.
CREATE TABLE asked_codes (
  place INTEGER PRIMARY KEY REFERENCES purchases (place) ON DELETE CASCADE,
  day   TEXT NOT NULL
) STRICT;
