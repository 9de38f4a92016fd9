-- Test data: the tables of Easy Digital Downloads 3, Software Licensing and Frontend Submissions with all their columns and
-- the indexes that the SELECTs use.
SET sql_mode = '';

CREATE TABLE wp_edd_orders (
  id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  order_number VARCHAR(255) NOT NULL DEFAULT '',
  status VARCHAR(20) NOT NULL DEFAULT 'pending',
  type VARCHAR(20) NOT NULL DEFAULT 'sale',
  user_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  customer_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  email VARCHAR(100) NOT NULL DEFAULT '',
  ip VARCHAR(60) NOT NULL DEFAULT '',
  gateway VARCHAR(100) NOT NULL DEFAULT 'manual',
  mode VARCHAR(20) NOT NULL DEFAULT '',
  currency VARCHAR(20) NOT NULL DEFAULT '',
  payment_key VARCHAR(64) NOT NULL DEFAULT '',
  tax_rate_id BIGINT(20) DEFAULT NULL,
  subtotal DECIMAL(18, 9) NOT NULL DEFAULT 0,
  discount DECIMAL(18, 9) NOT NULL DEFAULT 0,
  tax DECIMAL(18, 9) NOT NULL DEFAULT 0,
  total DECIMAL(18, 9) NOT NULL DEFAULT 0,
  rate DECIMAL(10, 5) NOT NULL DEFAULT 1.00000,
  date_created DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  date_modified DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  date_completed DATETIME DEFAULT NULL,
  date_refundable DATETIME DEFAULT NULL,
  date_actions_run DATETIME DEFAULT NULL,
  uuid VARCHAR(100) NOT NULL DEFAULT ''
) CHARACTER SET utf8mb4;

CREATE TABLE wp_edd_order_items (
  id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  parent BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  order_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  product_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  product_name TEXT NOT NULL DEFAULT '',
  price_id BIGINT(20) UNSIGNED DEFAULT NULL,
  cart_index BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  type VARCHAR(20) NOT NULL DEFAULT 'download',
  status VARCHAR(20) NOT NULL DEFAULT 'pending',
  quantity INT SIGNED NOT NULL DEFAULT 0,
  amount DECIMAL(18, 9) NOT NULL DEFAULT 0,
  subtotal DECIMAL(18, 9) NOT NULL DEFAULT 0,
  discount DECIMAL(18, 9) NOT NULL DEFAULT 0,
  tax DECIMAL(18, 9) NOT NULL DEFAULT 0,
  total DECIMAL(18, 9) NOT NULL DEFAULT 0,
  rate DECIMAL(10, 5) NOT NULL DEFAULT 1.00000,
  date_created DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  date_modified DATETIME NOT NULL DEFAULT CURRENT_TIMESTAMP,
  uuid VARCHAR(100) NOT NULL DEFAULT '',
  KEY order_product_price_id (order_id, product_id, price_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_edd_licenses (
  id BIGINT(20) NOT NULL AUTO_INCREMENT PRIMARY KEY,
  license_key VARCHAR(64) NOT NULL,
  status VARCHAR(20) NOT NULL,
  download_id BIGINT(20) NOT NULL,
  price_id VARCHAR(20),
  payment_id BIGINT(20) NOT NULL,
  cart_index BIGINT(20) NOT NULL,
  date_created DATETIME NOT NULL,
  expiration BIGINT(32),
  parent VARCHAR(20) NOT NULL,
  customer_id VARCHAR(20) NOT NULL,
  user_id VARCHAR(20) NOT NULL
) CHARACTER SET utf8 COLLATE utf8_general_ci;

CREATE TABLE wp_edd_licensemeta (
  meta_id BIGINT(20) NOT NULL AUTO_INCREMENT PRIMARY KEY,
  license_id BIGINT(20) NOT NULL,
  meta_key VARCHAR(255) DEFAULT NULL,
  meta_value LONGTEXT,
  KEY license_id_and_meta_key (license_id, meta_key)
) CHARACTER SET utf8 COLLATE utf8_general_ci;

CREATE TABLE wp_fes_vendors (
  id BIGINT(20) NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT(20) NOT NULL,
  username VARCHAR(50) NOT NULL,
  email VARCHAR(50) NOT NULL,
  name MEDIUMTEXT NOT NULL,
  product_count BIGINT(20) NOT NULL,
  sales_value MEDIUMTEXT NOT NULL,
  sales_count BIGINT(20) NOT NULL,
  status MEDIUMTEXT NOT NULL,
  notes LONGTEXT NOT NULL,
  date_created DATETIME NOT NULL,
  UNIQUE KEY email (email),
  KEY user (user_id)
) CHARACTER SET utf8 COLLATE utf8_general_ci;

INSERT INTO wp_users (ID, user_login, user_nicename, user_email, user_url, user_registered, display_name) VALUES
  (2, 'elif', 'elif', 'elif@example.com', '', '2021-03-04 10:30:00', 'Elif Yılmaz'),
  (4, 'ayse', 'ayse', 'ayse@example.com', '', '2023-01-01 00:00:00', 'Ayşe'),
  (5, 'new', 'new', 'new@example.com', '', '2023-01-01 00:00:00', 'Not approved yet');
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES (2, 'first_name', 'Elif'), (2, 'last_name', 'Yılmaz');
INSERT INTO wp_fes_vendors (user_id, email, username, name, product_count, sales_count, sales_value, status, notes, date_created) VALUES
  (2, 'destek@example.com', 'elif', 'Elif', 1, 3, '120', 'approved', '', '2021-03-04 10:30:00'),
  (5, 'new@example.com', 'new', 'New', 0, 0, '0', 'pending', '', '2023-01-01 00:00:00');
INSERT INTO wp_posts (ID, post_author, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, post_modified_gmt, post_type) VALUES
  (31, 2, '2021-04-01 09:00:00', 'A plugin', 'Forms', '', 'publish', 'forms', '2024-01-01 00:00:00', 'download'),
  (32, 2, '2021-04-01 09:00:00', 'All plugins', 'Bundle', '', 'draft', 'bundle', '2024-01-01 00:00:00', 'download');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES (31, 'edd_price', '49.00'), (31, '_edd_sl_version', '1.4');
INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Plugins', 'plugins');
INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent) VALUES (1, 1, 'download_category', '', 0);
INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (31, 1);
-- Order 5 renews the first license; order 6 is a bundle.
INSERT INTO wp_edd_orders (id, status, type, user_id, customer_id, email, currency, total, date_created, date_modified) VALUES
  (1, 'complete', 'sale', 4, 1, 'ayse@example.com', 'USD', 147, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 'refunded', 'sale', 0, 2, 'guest@example.com', 'USD', 49, '2024-02-15 11:20:00', '2024-02-20 00:00:00'),
  (3, 'pending', 'sale', 4, 1, 'ayse@example.com', 'USD', 49, '2024-03-15 11:20:00', '2024-03-15 11:20:00'),
  (4, 'complete', 'refund', 0, 2, 'guest@example.com', 'USD', -49, '2024-02-20 00:00:00', '2024-02-20 00:00:00'),
  (5, 'complete', 'sale', 4, 1, 'ayse@example.com', 'USD', 29, '2025-01-10 09:00:00', '2025-01-10 09:00:00'),
  (6, 'complete', 'sale', 4, 1, 'ayse@example.com', 'USD', 120, '2024-05-01 08:00:00', '2024-05-01 08:00:00');
INSERT INTO wp_edd_order_items (order_id, product_id, product_name, price_id, cart_index, status, quantity, amount, subtotal, total, date_created, date_modified) VALUES
  (1, 31, 'Forms', 1, 0, 'complete', 1, 49, 49, 49, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (1, 31, 'Forms', 2, 1, 'complete', 1, 98, 98, 98, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 31, 'Forms', 1, 0, 'refunded', 1, 49, 49, 49, '2024-02-15 11:20:00', '2024-02-20 00:00:00'),
  (3, 31, 'Forms', 1, 0, 'pending', 1, 49, 49, 49, '2024-03-15 11:20:00', '2024-03-15 11:20:00'),
  (5, 31, 'Forms', 1, 0, 'complete', 1, 29, 29, 29, '2025-01-10 09:00:00', '2025-01-10 09:00:00'),
  (6, 32, 'Bundle', NULL, 0, 'complete', 1, 99, 99, 99, '2024-05-01 08:00:00', '2024-05-01 08:00:00');
-- date_created is in the site's time zone. One license is disabled, one was removed, and one has no key yet.
INSERT INTO wp_edd_licenses (license_key, status, download_id, price_id, payment_id, cart_index, date_created, expiration, parent, customer_id, user_id) VALUES
  ('cc22c1ec86304b36883440e2e84cddff', 'active', 31, '1', 1, 0, '2024-01-15 03:20:00', 1768476000, '0', '1', '4'),
  ('dd22c1ec86304b36883440e2e84cddff', 'inactive', 31, '2', 1, 1, '2024-01-15 03:20:00', 0, '0', '1', '4'),
  ('ee22c1ec86304b36883440e2e84cddff', 'active', 31, '1', 2, 0, '2024-02-15 03:20:00', NULL, '0', '2', '0'),
  ('ff22c1ec86304b36883440e2e84cddff', 'inactive', 32, NULL, 6, 0, '2024-05-01 00:00:00', 0, '0', '1', '4'),
  ('aa22c1ec86304b36883440e2e84cddff', 'disabled', 31, NULL, 6, 0, '2024-05-01 00:00:00', 0, '4', '1', '4'),
  ('bb22c1ec86304b36883440e2e84cddff', 'private', 31, NULL, 6, 0, '2024-05-01 00:00:00', 0, '0', '1', '4'),
  ('', 'inactive', 31, '1', 1, 0, '2024-01-15 03:20:00', NULL, '0', '1', '4');
INSERT INTO wp_edd_licensemeta (license_id, meta_key, meta_value) VALUES (1, '_edd_sl_payment_id', '1'), (1, '_edd_sl_payment_id', '5');
