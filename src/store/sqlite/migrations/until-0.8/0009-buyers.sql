-- The buyer's name, which the contract does not have; null where the feed did not bring it.
ALTER TABLE purchases ADD COLUMN buyer TEXT;
