CREATE TABLE pazar_outbox (
  id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  -- One line of the feed.
  record MEDIUMTEXT NOT NULL,
  -- NULL while it waits; the problems, if Pazar refused it.
  refused TEXT NULL,
  KEY waiting (refused(1), id)
) ENGINE = InnoDB DEFAULT CHARSET = utf8mb4;
