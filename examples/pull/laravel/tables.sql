-- Test data: the tables of Marketbob with the columns that the SELECTs read and those without a default.
SET sql_mode = '';

CREATE TABLE users (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  firstname VARCHAR(50),
  lastname VARCHAR(50),
  username VARCHAR(50) UNIQUE,
  email VARCHAR(100) UNIQUE,
  api_key VARCHAR(255),
  is_author TINYINT(1) NOT NULL DEFAULT 0,
  balance DOUBLE NOT NULL DEFAULT 0,
  avatar VARCHAR(255),
  profile_cover VARCHAR(255),
  profile_heading VARCHAR(255),
  profile_description LONGTEXT,
  profile_contact_email VARCHAR(255),
  profile_social_links TEXT,
  status TINYINT(1) NOT NULL DEFAULT 1 COMMENT '0: banned, 1: active',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

CREATE TABLE categories (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  slug VARCHAR(255) NOT NULL UNIQUE,
  regular_buyer_fee DOUBLE NOT NULL DEFAULT 0,
  extended_buyer_fee DOUBLE NOT NULL DEFAULT 0,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

CREATE TABLE sub_categories (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(255) NOT NULL,
  slug VARCHAR(255) NOT NULL UNIQUE,
  category_id BIGINT UNSIGNED NOT NULL,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

CREATE TABLE items (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  author_id BIGINT UNSIGNED NOT NULL,
  name VARCHAR(100) NOT NULL UNIQUE,
  slug VARCHAR(255) NOT NULL UNIQUE,
  description LONGTEXT NOT NULL,
  category_id BIGINT UNSIGNED NOT NULL,
  sub_category_id BIGINT UNSIGNED,
  options LONGTEXT,
  version VARCHAR(255),
  demo_link TEXT,
  tags LONGTEXT NOT NULL,
  thumbnail VARCHAR(255),
  preview_type VARCHAR(255) NOT NULL DEFAULT 'image',
  preview_image VARCHAR(255),
  preview_video VARCHAR(255),
  preview_audio VARCHAR(255),
  main_file VARCHAR(255) NOT NULL,
  screenshots LONGTEXT,
  regular_price DOUBLE NOT NULL,
  extended_price DOUBLE NOT NULL,
  status TINYINT NOT NULL DEFAULT 1 COMMENT '1: pending, 2: soft rejected, 3: resubmitted, 4: approved, 5: hard rejected, 6: deleted',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

CREATE TABLE sales (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  author_id BIGINT UNSIGNED NOT NULL,
  user_id BIGINT UNSIGNED NOT NULL,
  item_id BIGINT UNSIGNED NOT NULL,
  license_type TINYINT NOT NULL COMMENT '1: regular, 2: extended',
  price DOUBLE NOT NULL,
  status TINYINT NOT NULL DEFAULT 1 COMMENT '1: active, 2: refunded, 3: cancelled',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

CREATE TABLE purchases (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  author_id BIGINT UNSIGNED NOT NULL,
  sale_id BIGINT UNSIGNED NOT NULL,
  item_id BIGINT UNSIGNED NOT NULL,
  license_type TINYINT NOT NULL COMMENT '1: regular, 2: extended',
  code VARCHAR(255) NOT NULL UNIQUE,
  support_expiry_at DATETIME,
  is_downloaded TINYINT(1) NOT NULL DEFAULT 0,
  status TINYINT NOT NULL DEFAULT 1 COMMENT '1: active, 2: refunded, 3: cancelled',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

INSERT INTO users (id, firstname, lastname, username, email, avatar, balance, profile_heading, profile_social_links, is_author, api_key, created_at, updated_at) VALUES
  (1, 'Elif', 'Yılmaz', 'elif', 'elif@example.com', 'images/profiles/1/elif.png', 120.5, 'Scripts', '{"facebook":null,"x":"elif","linkedin":""}', 1, 'old-key-of-elif', '2021-03-04 10:30:00', '2024-01-01 00:00:00'),
  (2, 'Ayşe', NULL, 'ayse', 'ayse@example.com', NULL, 0, NULL, NULL, 0, NULL, '2023-01-01 00:00:00', '2023-01-01 00:00:00'),
  (3, NULL, NULL, NULL, 'half@example.com', NULL, 0, NULL, NULL, 1, NULL, '2023-01-01 00:00:00', '2023-01-01 00:00:00');
INSERT INTO categories (id, name, slug, regular_buyer_fee, extended_buyer_fee) VALUES (1, 'PHP Scripts', 'php-scripts', 4, 40);
INSERT INTO sub_categories (id, category_id, name, slug) VALUES (1, 1, 'Shops', 'shops');
INSERT INTO items (id, author_id, category_id, sub_category_id, name, slug, description, options, version, demo_link, tags, thumbnail, preview_type, preview_image, preview_audio, main_file, screenshots, regular_price, extended_price, status, created_at, updated_at) VALUES
  (7, 1, 1, 1, 'Shop', 'shop', '<p>A shop</p>', '["Documentation"]', '1.4', 'https://demo.example.com/', 'shop,php', 'files/7/thumb.png', 'image', 'files/7/preview.png', NULL, 'a.zip', '["files/7/1.png"]', 35, 350, 4, '2023-05-01 08:30:00', '2024-01-01 00:00:00'),
  (8, 1, 1, NULL, 'Gone', 'gone', '', NULL, NULL, NULL, '', NULL, 'image', 'files/8/preview.png', NULL, 'b.zip', '{"1":"files/8/1.png","2":"files/8/2.png"}', 6, 60, 6, '2023-05-01 08:30:00', '2024-01-01 00:00:00'),
  (9, 1, 1, NULL, 'Loop', 'loop', '', NULL, '1.0.0', NULL, '', 'files/9/thumb.png', 'audio', NULL, 'files/9/loop.mp3', 'c.zip', NULL, 6, 60, 4, '2023-05-01 08:30:00', '2024-01-01 00:00:00');
INSERT INTO sales (id, author_id, user_id, item_id, license_type, price, status, created_at, updated_at) VALUES
  (1, 1, 2, 7, 1, 39, 1, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 1, 2, 7, 2, 390, 2, '2024-02-15 11:20:00', '2024-02-20 00:00:00'),
  (3, 1, 2, 8, 1, 10, 1, '2024-02-15 11:20:00', '2024-02-15 11:20:00');
INSERT INTO purchases (user_id, author_id, sale_id, item_id, license_type, code, support_expiry_at, is_downloaded, status, created_at, updated_at) VALUES
  (2, 1, 1, 7, 1, '0b7d3c1e-5a8f-4f0e-9d2b-6c1a7e4f3b20', '2024-07-15 11:20:00', 1, 1, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 1, 2, 7, 2, '1c8e4d2f-6b90-4a1f-8e3c-7d2b8f5a4c31', NULL, 0, 2, '2024-02-15 11:20:00', '2024-02-20 00:00:00'),
  (2, 1, 3, 8, 1, '2d9f5e30-7ca1-4b20-9f4d-8e3c906b5d42', NULL, 0, 1, '2024-02-15 11:20:00', '2024-02-15 11:20:00');
