-- A store as many are: written in PHP over the years, times on the clocks of Istanbul, paths without
-- a host, HTML in texts. `updated_at` is kept by the database.

CREATE TABLE users (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  username VARCHAR(100) NOT NULL UNIQUE,
  email VARCHAR(255) NOT NULL,
  first_name VARCHAR(100) NOT NULL DEFAULT '',
  last_name VARCHAR(100) NOT NULL DEFAULT '',
  role ENUM('buyer', 'author', 'admin') NOT NULL DEFAULT 'buyer',
  balance DECIMAL(10, 2) NOT NULL DEFAULT 0,
  headline VARCHAR(255) NOT NULL DEFAULT '',
  bio TEXT,
  support_email VARCHAR(255) NOT NULL DEFAULT '',
  website VARCHAR(255),
  x_url VARCHAR(255),
  avatar VARCHAR(255),
  cover VARCHAR(255),
  api_key VARCHAR(64),
  is_banned TINYINT(1) NOT NULL DEFAULT 0,
  created_at DATETIME NOT NULL,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP
) CHARACTER SET utf8mb4;

CREATE TABLE categories (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  parent_id INT UNSIGNED,
  name VARCHAR(100) NOT NULL
) CHARACTER SET utf8mb4;

CREATE TABLE products (
  id BIGINT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  user_id INT UNSIGNED NOT NULL,
  category_id INT UNSIGNED NOT NULL,
  title VARCHAR(255) NOT NULL,
  description MEDIUMTEXT,
  features TEXT,
  tags VARCHAR(255) NOT NULL DEFAULT '',
  version VARCHAR(20) NOT NULL DEFAULT '1.0',
  demo_url VARCHAR(255),
  thumbnail VARCHAR(255),
  preview VARCHAR(255),
  video VARCHAR(255),
  audio VARCHAR(255),
  screenshots TEXT,
  price DECIMAL(10, 2) NOT NULL,
  extended_price VARCHAR(20) NOT NULL DEFAULT '0',
  status ENUM('live', 'hidden', 'removed') NOT NULL DEFAULT 'live',
  created_at DATETIME NOT NULL,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  KEY (user_id)
) CHARACTER SET utf8mb4;

CREATE TABLE orders (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  user_id INT UNSIGNED NOT NULL,
  currency CHAR(3) NOT NULL DEFAULT 'USD',
  status ENUM('open', 'paid', 'cancelled') NOT NULL DEFAULT 'open',
  created_at DATETIME NOT NULL
) CHARACTER SET utf8mb4;

CREATE TABLE licences (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  order_id INT UNSIGNED NOT NULL,
  product_id BIGINT UNSIGNED NOT NULL,
  code VARCHAR(64) NOT NULL UNIQUE,
  type TINYINT NOT NULL DEFAULT 1 COMMENT '1 regular, 2 extended',
  price FLOAT NOT NULL,
  support_until DATETIME,
  downloads INT NOT NULL DEFAULT 0,
  updated_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP ON UPDATE CURRENT_TIMESTAMP,
  KEY (order_id),
  KEY (product_id)
) CHARACTER SET utf8mb4;

CREATE TABLE refunds (
  id INT UNSIGNED AUTO_INCREMENT PRIMARY KEY,
  licence_id INT UNSIGNED NOT NULL UNIQUE,
  reason VARCHAR(255) NOT NULL DEFAULT '',
  created_at TIMESTAMP NOT NULL DEFAULT CURRENT_TIMESTAMP
) CHARACTER SET utf8mb4;
