-- status: 1 is active, 2 refunded, 3 canceled. license_type: 1 is regular, 2 extended.
SELECT
  p.code AS purchase_code,
  p.item_id,
  IF(p.license_type = 2, 'Extended', 'Regular') AS license_type,
  ROUND(s.price, 2) AS price,
  'USD' AS currency,
  p.support_expiry_at AS supported_until,
  p.is_downloaded AS downloaded,
  CONVERT_TZ(p.created_at, @@session.time_zone, @@global.time_zone) AS date,
  buyer.username AS buyer,
  p.status <> 1 OR s.status <> 1 AS revoked
FROM purchases p
JOIN sales s ON s.id = p.sale_id
LEFT JOIN users buyer ON buyer.id = p.user_id
WHERE COALESCE(CONVERT_TZ(p.updated_at, @@session.time_zone, @@global.time_zone) >= :since, TRUE)
  OR CONVERT_TZ(s.updated_at, @@session.time_zone, @@global.time_zone) >= :since
