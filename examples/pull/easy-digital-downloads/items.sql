-- SQL cannot read the serialized variable prices in `edd_variable_prices`: write their prices here.
-- Unpublished downloads are hidden; their purchase codes stay valid.
SELECT STRAIGHT_JOIN
  p.ID AS id,
  u.user_login AS author,
  COALESCE(NULLIF(p.post_title, ''), p.ID) AS name,
  p.post_content AS description,
  COALESCE(
    (SELECT parent.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_category'
      JOIN wp_term_taxonomy px ON px.term_id = x.parent AND px.taxonomy = 'download_category'
      JOIN wp_terms parent ON parent.term_id = px.term_id
      WHERE r.object_id = p.ID ORDER BY x.term_id LIMIT 1),
    (SELECT t.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_category'
      JOIN wp_terms t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID ORDER BY x.term_id LIMIT 1),
    'Other') AS category,
  COALESCE(
    (SELECT t.name FROM wp_term_relationships r
      JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_category'
      JOIN wp_terms t ON t.term_id = x.term_id
      WHERE r.object_id = p.ID ORDER BY x.parent DESC, x.term_id LIMIT 1),
    'Other') AS sub_category,
  '' AS options,
  COALESCE(NULLIF(version.meta_value, ''), '1.0.0') AS version,
  CONCAT('/', 'downloads/', p.post_name, '/') AS demo_link,
  (SELECT GROUP_CONCAT(t.name ORDER BY t.name SEPARATOR '|') FROM wp_term_relationships r
    JOIN wp_term_taxonomy x ON x.term_taxonomy_id = r.term_taxonomy_id AND x.taxonomy = 'download_tag'
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
JOIN wp_fes_vendors v ON v.user_id = u.ID
LEFT JOIN wp_postmeta price FORCE INDEX (post_id) ON price.post_id = p.ID AND price.meta_key = 'edd_price'
LEFT JOIN wp_postmeta thumbnail FORCE INDEX (post_id) ON thumbnail.post_id = p.ID AND thumbnail.meta_key = '_thumbnail_id'
LEFT JOIN wp_postmeta picture FORCE INDEX (post_id) ON picture.post_id = thumbnail.meta_value AND picture.meta_key = '_wp_attached_file'
LEFT JOIN wp_postmeta version FORCE INDEX (post_id) ON version.post_id = p.ID AND version.meta_key = '_edd_sl_version'
WHERE p.post_type = 'download' AND p.post_status IN ('publish', 'private', 'pending', 'draft', 'trash') AND p.post_modified_gmt >= :since
