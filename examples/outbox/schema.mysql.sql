CREATE TABLE pazar_outbox (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  -- One record, as a line of JSON.
  record MEDIUMTEXT NOT NULL,
  -- NULL while pending; the problems if Pazar rejected the record.
  refused TEXT NULL,
  KEY pending (refused(1), id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
