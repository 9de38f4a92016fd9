SELECT
  p.id,
  u.username                          AS author,
  p.title                             AS name,
  COALESCE(p.description, '')         AS description,
  COALESCE(top.name, c.name)          AS category,
  c.name                              AS sub_category,
  p.features                          AS options,
  p.version,
  COALESCE(NULLIF(p.demo_url, ''), CONCAT('/items/', p.id)) AS demo_link,
  p.tags,
  COALESCE(NULLIF(p.thumbnail, ''), '/images/item.png') AS `media.thumbnail`,
  IF(p.audio IS NULL, COALESCE(NULLIF(p.preview, ''), '/images/preview.png'), NULL) AS `media.preview_image`,
  p.video                             AS `media.preview_video`,
  p.audio                             AS `media.preview_audio`,
  p.screenshots                       AS `media.screenshots`,
  p.price                             AS `price.regular`,
  p.extended_price                    AS `price.extended`,
  'USD'                               AS currency,
  p.created_at                        AS published_at,
  -- Removed products are hidden, so the codes of their buyers stay valid.
  p.status <> 'live'                  AS hidden
FROM products p
JOIN users u ON u.id = p.user_id
JOIN categories c ON c.id = p.category_id
LEFT JOIN categories top ON top.id = c.parent_id
WHERE p.updated_at >= :since
