-- Test data: the WordPress tables that both examples read, as wp-admin/includes/schema.php creates them, with fewer indexes.
SET sql_mode = '';

CREATE TABLE wp_users (
  ID BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_login VARCHAR(60) NOT NULL DEFAULT '',
  user_pass VARCHAR(255) NOT NULL DEFAULT '',
  user_nicename VARCHAR(50) NOT NULL DEFAULT '',
  user_email VARCHAR(100) NOT NULL DEFAULT '',
  user_url VARCHAR(100) NOT NULL DEFAULT '',
  user_registered DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  user_activation_key VARCHAR(255) NOT NULL DEFAULT '',
  user_status INT(11) NOT NULL DEFAULT 0,
  display_name VARCHAR(250) NOT NULL DEFAULT ''
) CHARACTER SET utf8mb4;

CREATE TABLE wp_usermeta (
  umeta_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  user_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255),
  meta_value LONGTEXT,
  KEY user_id (user_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_posts (
  ID BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_author BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  post_date DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_date_gmt DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_content LONGTEXT NOT NULL,
  post_title TEXT NOT NULL,
  post_excerpt TEXT NOT NULL,
  post_status VARCHAR(20) NOT NULL DEFAULT 'publish',
  post_name VARCHAR(200) NOT NULL DEFAULT '',
  post_modified DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_modified_gmt DATETIME NOT NULL DEFAULT '0000-00-00 00:00:00',
  post_parent BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  guid VARCHAR(255) NOT NULL DEFAULT '',
  post_type VARCHAR(20) NOT NULL DEFAULT 'post',
  KEY type_status_date (post_type, post_status, post_date, ID)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_postmeta (
  meta_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  post_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  meta_key VARCHAR(255),
  meta_value LONGTEXT,
  KEY post_id (post_id)
) CHARACTER SET utf8mb4;

CREATE TABLE wp_terms (
  term_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  name VARCHAR(200) NOT NULL DEFAULT '',
  slug VARCHAR(200) NOT NULL DEFAULT ''
) CHARACTER SET utf8mb4;

CREATE TABLE wp_term_taxonomy (
  term_taxonomy_id BIGINT(20) UNSIGNED NOT NULL AUTO_INCREMENT PRIMARY KEY,
  term_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  taxonomy VARCHAR(32) NOT NULL DEFAULT '',
  description LONGTEXT NOT NULL,
  parent BIGINT(20) UNSIGNED NOT NULL DEFAULT 0
) CHARACTER SET utf8mb4;

CREATE TABLE wp_term_relationships (
  object_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  term_taxonomy_id BIGINT(20) UNSIGNED NOT NULL DEFAULT 0,
  PRIMARY KEY (object_id, term_taxonomy_id)
) CHARACTER SET utf8mb4;
