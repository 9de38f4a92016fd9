-- A shop on Laravel as the Marketbob family has it. That script is sold and its tables are not published: these follow the members
-- of its public API and Laravel's own conventions (ids, created_at, updated_at, deleted_at). Compare the names with your database.
SET sql_mode = '';

CREATE TABLE users (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  firstname VARCHAR(255),
  lastname VARCHAR(255),
  username VARCHAR(255) NOT NULL UNIQUE,
  email VARCHAR(255) NOT NULL UNIQUE,
  avatar VARCHAR(255),
  balance DECIMAL(28, 8) NOT NULL DEFAULT 0,
  profile_cover VARCHAR(255),
  profile_heading VARCHAR(255),
  profile_description TEXT,
  profile_contact_email VARCHAR(255),
  profile_social_links TEXT,
  is_author TINYINT(1) NOT NULL DEFAULT 0,
  api_key VARCHAR(255),
  status TINYINT(1) NOT NULL DEFAULT 1,
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;
CREATE TABLE categories (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, name VARCHAR(255) NOT NULL, slug VARCHAR(255) NOT NULL) CHARACTER SET utf8mb4;
CREATE TABLE sub_categories (id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY, category_id BIGINT UNSIGNED NOT NULL, name VARCHAR(255) NOT NULL, slug VARCHAR(255) NOT NULL) CHARACTER SET utf8mb4;
CREATE TABLE items (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  author_id BIGINT UNSIGNED NOT NULL,
  category_id BIGINT UNSIGNED NOT NULL,
  sub_category_id BIGINT UNSIGNED,
  name VARCHAR(255) NOT NULL,
  description LONGTEXT NOT NULL,
  options TEXT,
  version VARCHAR(255),
  demo_link VARCHAR(255),
  tags TEXT,
  thumbnail VARCHAR(255),
  preview_image VARCHAR(255),
  preview_video VARCHAR(255),
  preview_audio VARCHAR(255),
  screenshots TEXT,
  regular_price DECIMAL(28, 8) NOT NULL,
  extended_price DECIMAL(28, 8) NOT NULL,
  status VARCHAR(20) NOT NULL DEFAULT 'pending',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL,
  deleted_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;
CREATE TABLE sales (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  author_id BIGINT UNSIGNED NOT NULL,
  user_id BIGINT UNSIGNED NOT NULL,
  item_id BIGINT UNSIGNED NOT NULL,
  price DECIMAL(28, 8) NOT NULL,
  status VARCHAR(20) NOT NULL DEFAULT 'active',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;
CREATE TABLE purchases (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT UNSIGNED NOT NULL,
  sale_id BIGINT UNSIGNED NOT NULL,
  item_id BIGINT UNSIGNED NOT NULL,
  license_type TINYINT NOT NULL DEFAULT 1,
  code VARCHAR(255) NOT NULL UNIQUE,
  support_expiry_at TIMESTAMP NULL,
  is_downloaded TINYINT(1) NOT NULL DEFAULT 0,
  status VARCHAR(20) NOT NULL DEFAULT 'active',
  created_at TIMESTAMP NULL,
  updated_at TIMESTAMP NULL
) CHARACTER SET utf8mb4;

SET time_zone = '+00:00';
INSERT INTO users (id, firstname, lastname, username, email, avatar, balance, profile_heading, profile_social_links, is_author, api_key, created_at, updated_at) VALUES
  (1, 'Elif', 'Yılmaz', 'elif', 'elif@example.com', 'images/avatars/elif.png', 120.5, 'Scripts', '{"x":"https://x.com/elif"}', 1, 'old-key-of-elif', '2021-03-04 10:30:00', '2024-01-01 00:00:00'),
  (2, 'Ayşe', NULL, 'ayse', 'ayse@example.com', NULL, 0, NULL, NULL, 0, NULL, '2023-01-01 00:00:00', '2023-01-01 00:00:00');
INSERT INTO categories (id, name, slug) VALUES (1, 'PHP Scripts', 'php-scripts');
INSERT INTO sub_categories (id, category_id, name, slug) VALUES (1, 1, 'Shops', 'shops');
INSERT INTO items (id, author_id, category_id, sub_category_id, name, description, options, version, demo_link, tags, thumbnail, preview_image, screenshots, regular_price, extended_price, status, created_at, updated_at, deleted_at) VALUES
  (7, 1, 1, 1, 'Shop', '<p>A shop</p>', '["Documentation"]', '1.4', 'https://demo.example.com/', 'shop,php', 'files/7/thumb.png', 'files/7/preview.png', '["files/7/1.png"]', 39, 390, 'approved', '2023-05-01 08:30:00', '2024-01-01 00:00:00', NULL),
  (8, 1, 1, NULL, 'Draft', '', NULL, NULL, NULL, NULL, NULL, NULL, NULL, 10, 100, 'pending', '2023-05-01 08:30:00', '2024-01-01 00:00:00', NULL);
INSERT INTO sales (id, author_id, user_id, item_id, price, status, created_at, updated_at) VALUES
  (1, 1, 2, 7, 39, 'active', '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 1, 2, 7, 390, 'refunded', '2024-02-15 11:20:00', '2024-02-20 00:00:00');
INSERT INTO purchases (user_id, sale_id, item_id, license_type, code, support_expiry_at, is_downloaded, created_at, updated_at) VALUES
  (2, 1, 7, 1, '0b7d3c1e-5a8f-4f0e-9d2b-6c1a7e4f3b20', '2024-07-15 11:20:00', 1, '2024-01-15 11:20:00', '2024-01-15 11:20:00'),
  (2, 2, 7, 2, '1c8e4d2f-6b90-4a1f-8e3c-7d2b8f5a4c31', NULL, 0, '2024-02-15 11:20:00', '2024-02-15 11:20:00');
