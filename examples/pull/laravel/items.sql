SELECT
  i.id,
  u.username AS author,
  i.name,
  i.description,
  c.name AS category,
  COALESCE(s.name, c.name) AS sub_category,
  i.options,
  i.version,
  i.demo_link,
  i.tags,
  i.thumbnail AS `media.thumbnail`,
  i.preview_image AS `media.preview_image`,
  i.preview_video AS `media.preview_video`,
  i.preview_audio AS `media.preview_audio`,
  i.screenshots AS `media.screenshots`,
  i.regular_price AS `price.regular`,
  i.extended_price AS `price.extended`,
  'USD' AS currency,
  i.created_at AS published_at,
  i.status <> 'approved' AS hidden,
  i.deleted_at IS NOT NULL AS deleted
FROM items i
JOIN users u ON u.id = i.author_id
JOIN categories c ON c.id = i.category_id
LEFT JOIN sub_categories s ON s.id = i.sub_category_id
WHERE i.updated_at >= :since OR i.deleted_at >= :since
