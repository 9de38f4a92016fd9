-- status: 4 is approved, 6 is deleted. Deleted items keep their rows, and their codes stay valid. Buyers pay the price plus the category's fee.
SELECT
  i.id,
  u.username AS author,
  i.name,
  i.description,
  c.name AS category,
  COALESCE(s.name, c.name) AS sub_category,
  i.options,
  COALESCE(NULLIF(i.version, ''), '1.0.0') AS version,
  COALESCE(NULLIF(i.demo_link, ''), CONCAT('/items/', i.id)) AS demo_link,
  i.tags,
  COALESCE(NULLIF(i.thumbnail, ''), NULLIF(i.preview_image, ''), '/images/item.png') AS `media.thumbnail`,
  IF(i.preview_type <> 'audio', COALESCE(NULLIF(i.preview_image, ''), '/images/preview.png'), NULL) AS `media.preview_image`,
  IF(i.preview_type = 'video', i.preview_video, NULL) AS `media.preview_video`,
  IF(i.preview_type = 'audio', i.preview_audio, NULL) AS `media.preview_audio`,
  -- An array, or an object with one field per image.
  COALESCE(JSON_EXTRACT(i.screenshots, '$.*'), i.screenshots) AS `media.screenshots`,
  ROUND(i.regular_price + c.regular_buyer_fee, 2) AS `price.regular`,
  ROUND(i.extended_price + c.extended_buyer_fee, 2) AS `price.extended`,
  'USD' AS currency,
  CONVERT_TZ(i.created_at, @@session.time_zone, @@global.time_zone) AS published_at,
  i.status <> 4 AS hidden
FROM items i
JOIN users u ON u.id = i.author_id
JOIN categories c ON c.id = i.category_id
LEFT JOIN sub_categories s ON s.id = i.sub_category_id
WHERE COALESCE(CONVERT_TZ(i.updated_at, @@session.time_zone, @@global.time_zone) >= :since, TRUE)
  OR CONVERT_TZ(c.updated_at, @@session.time_zone, @@global.time_zone) >= :since
