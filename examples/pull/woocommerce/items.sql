-- WooCommerce stores no version and only one price: adapt `version` and `price.extended` if your shop has them.
-- Unpublished products are hidden; their purchase codes stay valid. Dokan sets products of vendors who may not sell to pending.
SELECT STRAIGHT_JOIN
  p.ID AS id,
  u.user_login AS author,
  COALESCE(NULLIF(p.post_title, ''), p.ID) AS name,
  p.post_content AS description,
  COALESCE(
    (SELECT parent.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
      JOIN wp_term_taxonomy px ON px.term_id = x.parent AND px.taxonomy = 'product_cat'
      JOIN wp_terms parent ON parent.term_id = px.term_id
      WHERE r.object_id = p.ID ORDER BY x.term_id LIMIT 1),
    (SELECT t.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
      JOIN wp_terms t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID ORDER BY x.term_id LIMIT 1),
    'Other') AS category,
  COALESCE(
    (SELECT t.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_cat'
      JOIN wp_terms t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID ORDER BY x.parent DESC, x.term_id LIMIT 1),
    'Other') AS sub_category,
  '' AS options,
  '1.0.0' AS version,
  CONCAT('/', 'product/', p.post_name, '/') AS demo_link,
  (SELECT GROUP_CONCAT(t.name ORDER BY t.name SEPARATOR '|') FROM wp_term_relationships r
    JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'product_tag'
    JOIN wp_terms t ON t.term_id = x.term_id
    WHERE r.object_id = p.ID) AS tags,
  COALESCE(CONCAT('/wp-content/uploads/', picture.meta_value), '/images/item.png') AS `media.thumbnail`,
  COALESCE(CONCAT('/wp-content/uploads/', picture.meta_value), '/images/preview.png') AS `media.preview_image`,
  CAST(COALESCE(NULLIF(price.meta_value, ''), '0') AS DECIMAL(20, 2)) AS `price.regular`,
  CAST(COALESCE(NULLIF(price.meta_value, ''), '0') AS DECIMAL(20, 2)) AS `price.extended`,
  'USD' AS currency,
  IF(p.post_date_gmt > '1970-01-01', p.post_date_gmt, p.post_modified_gmt) AS published_at,
  p.post_status <> 'publish' AS hidden
FROM wp_posts p
JOIN wp_users u ON u.ID = p.post_author
JOIN wp_usermeta selling FORCE INDEX (user_id) ON selling.user_id = u.ID AND selling.meta_key = 'dokan_enable_selling'
LEFT JOIN wp_postmeta price FORCE INDEX (post_id) ON price.post_id = p.ID AND price.meta_key = '_regular_price'
LEFT JOIN wp_postmeta thumbnail FORCE INDEX (post_id) ON thumbnail.post_id = p.ID AND thumbnail.meta_key = '_thumbnail_id'
LEFT JOIN wp_postmeta picture FORCE INDEX (post_id) ON picture.post_id = thumbnail.meta_value AND picture.meta_key = '_wp_attached_file'
WHERE p.post_type = 'product' AND p.post_status IN ('publish', 'private', 'pending', 'draft', 'trash') AND p.post_modified_gmt >= :since
