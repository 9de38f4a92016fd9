-- Test data: the tables of WooCommerce and Dokan with all their columns and the indexes that the SELECTs use.
SET sql_mode = '';

CREATE TABLE wp_wc_orders (
  id BIGINT(20) UNSIGNED PRIMARY KEY,
  status VARCHAR(20) NULL,
  currency VARCHAR(10) NULL,
  type VARCHAR(20) NULL,
  tax_amount DECIMAL(26, 8) NULL,
  total_amount DECIMAL(26, 8) NULL,
  customer_id BIGINT(20) UNSIGNED NULL,
  billing_email VARCHAR(320) NULL,
  date_created_gmt DATETIME NULL,
  date_updated_gmt DATETIME NULL,
  parent_order_id BIGINT(20) UNSIGNED NULL,
  payment_method VARCHAR(100) NULL,
  payment_method_title TEXT NULL,
  transaction_id VARCHAR(100) NULL,
  ip_address VARCHAR(100) NULL,
  user_agent TEXT NULL,
  customer_note TEXT NULL
) CHARACTER SET utf8mb4;

CREATE TABLE wp_wc_orders_meta (
  id BIGINT(20) UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT(20) UNSIGNED NULL,
  meta_key VARCHAR(255) NULL,
  meta_value TEXT NULL,
  KEY order_id_meta_key_meta_value (order_id, meta_key(100), meta_value(82))
) CHARACTER SET utf8mb4;

CREATE TABLE wp_wc_order_operational_data (
  id BIGINT(20) UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  order_id BIGINT(20) UNSIGNED NULL,
  created_via VARCHAR(100) NULL,
  woocommerce_version VARCHAR(20) NULL,
  prices_include_tax TINYINT(1) NULL,
  coupon_usages_are_counted TINYINT(1) NULL,
  download_permission_granted TINYINT(1) NULL,
  cart_hash VARCHAR(100) NULL,
  new_order_email_sent TINYINT(1) NULL,
  order_key VARCHAR(100) NULL,
  order_stock_reduced TINYINT(1) NULL,
  date_paid_gmt DATETIME NULL,
  date_completed_gmt DATETIME NULL,
  shipping_tax_amount DECIMAL(26, 8) NULL,
  shipping_total_amount DECIMAL(26, 8) NULL,
  discount_tax_amount DECIMAL(26, 8) NULL,
  discount_total_amount DECIMAL(26, 8) NULL,
  recorded_sales TINYINT(1) NULL,
  UNIQUE KEY order_id (order_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_woocommerce_order_items (
  order_item_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_item_name TEXT NOT NULL,
  order_item_type VARCHAR(200) NOT NULL DEFAULT '',
  order_id BIGINT UNSIGNED NOT NULL,
  KEY order_id (order_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_woocommerce_order_itemmeta (
  meta_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  order_item_id BIGINT UNSIGNED NOT NULL,
  meta_key VARCHAR(255) DEFAULT NULL,
  meta_value LONGTEXT NULL,
  KEY order_item_id (order_item_id),
  KEY meta_key (meta_key(32))
) CHARACTER SET utf8mb4;

CREATE TABLE wp_woocommerce_downloadable_product_permissions (
  permission_id BIGINT UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  download_id VARCHAR(36) NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  order_id BIGINT UNSIGNED NOT NULL DEFAULT 0,
  order_key VARCHAR(200) NOT NULL,
  user_email VARCHAR(200) NOT NULL,
  user_id BIGINT UNSIGNED NULL,
  downloads_remaining VARCHAR(9) NULL,
  access_granted DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  access_expires DATETIME NULL DEFAULT NULL,
  download_count BIGINT UNSIGNED NOT NULL DEFAULT 0,
  KEY order_id (order_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_dokan_vendor_balance (
  id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  vendor_id BIGINT(20) UNSIGNED NOT NULL,
  trn_id BIGINT(20) UNSIGNED NOT NULL,
  trn_type VARCHAR(30) NOT NULL,
  perticulars TEXT NOT NULL,
  debit DECIMAL(19, 4) NOT NULL,
  credit DECIMAL(19, 4) NOT NULL,
  status VARCHAR(30) DEFAULT NULL,
  trn_date TIMESTAMP NOT NULL,
  balance_date TIMESTAMP NOT NULL
) CHARACTER SET utf8mb4;

INSERT INTO wp_users (ID, user_login, user_nicename, user_email, user_url, user_registered, display_name) VALUES
  (1, 'admin', 'admin', 'admin@example.com', '', '2020-01-01 00:00:00', 'admin'),
  (2, 'elif', 'elif', 'elif@example.com', 'https://elif.example.com', '2021-03-04 10:30:00', 'Elif Yılmaz'),
  (3, 'tom', 'tom', 'tom@example.com', '', '2022-05-06 11:00:00', 'Tom Baker'),
  (4, 'ayse', 'ayse', 'ayse@example.com', '', '2023-01-01 00:00:00', 'Ayşe');
INSERT INTO wp_usermeta (user_id, meta_key, meta_value) VALUES
  (2, 'dokan_enable_selling', 'yes'), (2, 'dokan_store_name', 'Elif &amp; Co'), (2, 'first_name', 'Elif'), (2, 'last_name', 'Yılmaz'), (2, 'description', '<p>Temalar</p>'),
  (3, 'dokan_enable_selling', 'no'), (3, 'first_name', 'Tom');
INSERT INTO wp_dokan_vendor_balance (vendor_id, trn_id, trn_type, perticulars, debit, credit, status, trn_date, balance_date) VALUES
  (2, 101, 'dokan_orders', 'New order', 31.2, 0, 'wc-completed', '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 103, 'dokan_orders', 'New order', 50, 0, 'wc-pending', '2024-02-01 09:00:00', '2024-02-01 09:00:00'),
  (3, 102, 'dokan_orders', 'New order', 7.2, 0, 'wc-refunded', '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (3, 102, 'dokan_refund', 'Refund', 0, 7.2, 'approved', '2024-01-20 00:00:00', '2024-01-20 00:00:00'),
  (2, 1, 'dokan_withdraw', 'Approve withdraw', 0, 20, 'approved', '2024-02-01 00:00:00', '2024-02-01 00:00:00');

INSERT INTO wp_posts (ID, post_author, post_date_gmt, post_content, post_title, post_excerpt, post_status, post_name, post_modified_gmt, post_type) VALUES
  (11, 2, '2021-04-01 09:00:00', '<p>Hızlı ve <b>sade</b>.</p>', 'Ege &ndash; Blog', '', 'publish', 'ege-blog', '2024-01-01 00:00:00', 'product'),
  (12, 3, '0000-00-00 00:00:00', '', 'Lo-Fi Loop', '', 'pending', 'lo-fi-loop', '2022-06-01 09:00:00', 'product'),
  (13, 1, '2022-06-01 09:00:00', '', 'A gift card of the shop', '', 'publish', 'gift', '2024-01-01 00:00:00', 'product'),
  (21, 2, '2021-04-01 09:00:00', '', 'ege', '', 'inherit', 'ege', '2021-04-01 09:00:00', 'attachment');
INSERT INTO wp_postmeta (post_id, meta_key, meta_value) VALUES
  (11, '_regular_price', '39'), (11, '_thumbnail_id', '21'), (21, '_wp_attached_file', '2021/04/ege.png'), (12, '_regular_price', '');
INSERT INTO wp_terms (term_id, name, slug) VALUES (1, 'Themes', 'themes'), (2, 'WordPress', 'wordpress'), (3, 'blog', 'blog'), (4, 'türkçe', 'turkce');
INSERT INTO wp_term_taxonomy (term_taxonomy_id, term_id, taxonomy, description, parent) VALUES
  (1, 1, 'product_cat', '', 0), (2, 2, 'product_cat', '', 1), (3, 3, 'product_tag', '', 0), (4, 4, 'product_tag', '', 0);
INSERT INTO wp_term_relationships (object_id, term_taxonomy_id) VALUES (11, 2), (11, 3), (11, 4);

INSERT INTO wp_wc_orders (id, status, currency, type, total_amount, customer_id, date_created_gmt, date_updated_gmt, parent_order_id) VALUES
  (100, 'wc-completed', 'USD', 'shop_order', 48, 4, '2024-01-15 11:20:00', '2024-01-15 11:25:00', 0),
  (101, 'wc-completed', 'USD', 'shop_order', 39, 4, '2024-01-15 11:20:00', '2024-01-15 11:25:00', 100),
  (102, 'wc-refunded', 'USD', 'shop_order', 9, 4, '2024-01-15 11:20:00', '2024-01-20 00:00:00', 100),
  (103, 'wc-pending', 'USD', 'shop_order', 39, 4, '2024-02-01 09:00:00', '2024-02-01 09:00:00', 0),
  (104, 'wc-completed', 'USD', 'shop_order', 78, 0, '2024-03-01 09:00:00', '2024-03-01 09:00:00', 0),
  (105, 'wc-completed', 'USD', 'shop_order_refund', -49, 0, '2024-03-02 09:00:00', '2024-03-02 09:00:00', 104),
  (107, 'wc-cancelled', 'USD', 'shop_order', 39, 4, '2024-04-01 09:00:00', '2024-04-05 09:00:00', 0),
  (108, 'wc-cancelled', 'USD', 'shop_order', 39, 4, '2024-04-01 09:00:00', '2024-04-01 10:00:00', 0),
  (109, 'wc-pending-cancel', 'USD', 'shop_subscription', 39, 0, '2024-03-01 09:00:00', '2024-05-01 09:00:00', 104);
INSERT INTO wp_wc_orders_meta (order_id, meta_key, meta_value) VALUES (100, 'has_sub_order', '1'), (109, '_schedule_end', '2025-03-01 09:00:00'), (101, '_dokan_vendor_id', '2'), (102, '_dokan_vendor_id', '3');
INSERT INTO wp_wc_order_operational_data (order_id, order_key, date_completed_gmt) VALUES
  (100, 'wc_order_parent', '2024-01-15 11:25:00'), (101, 'wc_order_aB12cD34', '2024-01-15 11:25:00'),
  (102, 'wc_order_eF56gH78', '2024-01-15 11:25:00'), (103, 'wc_order_open', NULL), (104, 'wc_order_iJ90kL12', '2024-03-01 09:00:00'),
  (105, '', NULL), (107, 'wc_order_mN34oP56', '2024-04-01 09:00:00'), (108, 'wc_order_unpaid', NULL);
-- In order 104, line 7 is refunded completely and line 6 in part. Line 3 is a variation, and its downloads refer to that.
INSERT INTO wp_woocommerce_order_items (order_item_id, order_item_name, order_item_type, order_id) VALUES
  (1, 'Ege', 'line_item', 100), (2, 'Loop', 'line_item', 100), (3, 'Ege', 'line_item', 101), (4, 'Loop', 'line_item', 102),
  (5, 'Ege', 'line_item', 103), (6, 'Ege', 'line_item', 104), (7, 'Ege', 'line_item', 104), (8, 'Ege', 'line_item', 105), (9, 'Tax', 'tax', 104),
  (10, 'Ege', 'line_item', 105), (11, 'Ege', 'line_item', 107), (12, 'Ege', 'line_item', 108);
INSERT INTO wp_woocommerce_order_itemmeta (order_item_id, meta_key, meta_value) VALUES
  (1, '_product_id', '11'), (1, '_qty', '1'), (1, '_line_total', '39'), (2, '_product_id', '12'), (2, '_qty', '1'), (2, '_line_total', '9'),
  (3, '_product_id', '11'), (3, '_variation_id', '14'), (3, '_qty', '1'), (3, '_line_total', '39'), (4, '_product_id', '12'), (4, '_qty', '1'), (4, '_line_total', '9'),
  (5, '_product_id', '11'), (5, '_qty', '1'), (5, '_line_total', '39'),
  (6, '_product_id', '11'), (6, '_qty', '1'), (6, '_line_total', '39'), (6, 'license', 'Extended'), (6, '_purchase_code', 'c6b1c2d3-2222-4333-8444-955566667777'),
  (7, '_product_id', '11'), (7, '_qty', '1'), (7, '_line_total', '39'),
  (8, '_product_id', '11'), (8, '_qty', '-1'), (8, '_line_total', '-39'), (8, '_refunded_item_id', '7'),
  (10, '_product_id', '11'), (10, '_qty', '0'), (10, '_line_total', '-10'), (10, '_refunded_item_id', '6'),
  (11, '_product_id', '11'), (11, '_qty', '1'), (11, '_line_total', '39'), (12, '_product_id', '11'), (12, '_qty', '1'), (12, '_line_total', '39');
INSERT INTO wp_woocommerce_downloadable_product_permissions (download_id, product_id, order_id, order_key, user_email, user_id, download_count) VALUES
  ('a', 14, 101, 'wc_order_aB12cD34', 'ayse@example.com', 4, 2);
