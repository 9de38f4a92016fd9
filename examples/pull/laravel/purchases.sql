-- Laravel keeps updated_at of a row that it saves; a refund saves the sale and not always the purchase.
SELECT
  p.code AS purchase_code,
  p.item_id,
  IF(p.license_type = 2, 'Extended', 'Regular') AS license_type,
  s.price,
  'USD' AS currency,
  p.support_expiry_at AS supported_until,
  p.is_downloaded AS downloaded,
  p.created_at AS date,
  buyer.username AS buyer,
  s.status IN ('refunded', 'cancelled') OR p.status <> 'active' AS revoked
FROM purchases p
JOIN sales s ON s.id = p.sale_id
JOIN users buyer ON buyer.id = p.user_id
WHERE p.updated_at >= :since OR s.updated_at >= :since
