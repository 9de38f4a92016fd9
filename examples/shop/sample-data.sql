SET NAMES utf8mb4;
-- Allows zero dates.
SET sql_mode = '';

INSERT INTO users (id, username, email, first_name, last_name, role, balance, headline, bio, support_email, website, x_url, avatar, cover, api_key, created_at) VALUES
  (1, 'elif', 'elif@example.com', 'Elif', 'Yılmaz', 'author', 1280.40, 'Temalar &amp; eklentiler', '<p>WordPress temaları yapıyorum.</p><p>Destek: <a href="mailto:destek@example.com">destek@example.com</a></p>', 'destek@example.com', 'https://elif.example.com', 'https://x.com/elif', '/uploads/avatars/elif.jpg', '/uploads/covers/elif.jpg', 'old-key-of-elif', '2019-05-04 10:30:00'),
  (2, 'tom', 'tom@example.com', 'Tom', 'Baker', 'author', 75.00, 'Sounds', NULL, 'tom@example.com', NULL, '', NULL, '', NULL, '2021-11-20 08:00:00'),
  (3, 'ayse', 'ayse@example.com', 'Ayşe', 'Demir', 'buyer', 0, '', NULL, '', NULL, NULL, NULL, NULL, NULL, '2022-01-01 00:00:00');

INSERT INTO categories (id, parent_id, name) VALUES
  (1, NULL, 'Themes'), (2, 1, 'WordPress'), (3, NULL, 'Audio'), (4, 3, 'Loops'), (5, NULL, 'Graphics');

INSERT INTO products (id, user_id, category_id, title, description, features, tags, version, demo_url, thumbnail, preview, video, audio, screenshots, price, extended_price, status, created_at) VALUES
  (1229, 1, 2, 'Ege &ndash; Blog Teması', '<h2>Ege</h2><p>Hızlı ve <b>sade</b> bir tema.</p><ul><li>Karanlık mod</li><li>RTL &amp; WPML</li></ul>', 'Documentation\nFuture updates', 'wordpress, blog, türkçe', 'v2.4', 'https://demo.example.com/ege', '/uploads/items/1229/thumb.png', '/uploads/items/1229/preview.png', NULL, NULL, '["/uploads/items/1229/1.png","/uploads/items/1229/2.png"]', 39.00, '1490.00', 'live', '2020-03-29 03:30:00'),
  (1230, 2, 4, 'Rainy Lo-Fi Loop', 'A calm loop.\nNo drums.', '', 'lofi,loop', '1.0', '', 'uploads/items/1230/thumb.png', NULL, NULL, 'uploads/items/1230/loop.mp3', '[]', 9.00, '45', 'live', '2022-02-14 12:00:00'),
  (1231, 1, 5, 'Icon Set', '<p>120 icons</p>', NULL, '', '1.0.0-beta', NULL, NULL, NULL, NULL, NULL, NULL, 12.50, '60.00', 'hidden', '2023-06-01 09:15:00');

INSERT INTO orders (id, user_id, currency, status, created_at) VALUES
  (501, 3, 'USD', 'paid', '2024-01-15 14:20:00'),
  (502, 3, 'USD', 'paid', '2024-07-01 09:00:00'),
  (503, 3, 'USD', 'open', '2024-08-01 09:00:00');

INSERT INTO licenses (order_id, product_id, code, type, price, support_until, downloads) VALUES
  (501, 1229, 'B5A0B1C2-1111-4222-8333-944455556666', 1, 39.00, '2024-07-15 14:20:00', 4),
  (501, 1230, 'c6b1c2d3-2222-4333-8444-955566667777', 2, 45, '0000-00-00 00:00:00', 1),
  (502, 1231, 'd7c2d3e4-3333-4444-8555-966677778888', 1, 12.5, NULL, 0),
  (503, 1229, 'e8d3e4f5-4444-4555-8666-977788889999', 1, 39.00, NULL, 0);

INSERT INTO refunds (license_id, reason)
SELECT id, 'bought twice' FROM licenses WHERE code = 'd7c2d3e4-3333-4444-8555-966677778888';
