-- One purchase a licence. A payment and a refund count as changes of their licence.
SELECT
  l.code                              AS purchase_code,
  l.product_id                        AS item_id,
  IF(l.type = 2, 'Extended', 'Regular') AS license_type,
  l.price,
  o.currency,
  l.support_until                     AS supported_until,
  l.downloads > 0                     AS downloaded,
  o.created_at                        AS date,
  buyer.username                      AS buyer,
  r.id IS NOT NULL                    AS revoked
FROM licences l
JOIN orders o ON o.id = l.order_id
JOIN users buyer ON buyer.id = o.user_id
LEFT JOIN refunds r ON r.licence_id = l.id
WHERE o.status = 'paid'
  AND (l.updated_at >= :since OR o.updated_at >= :since OR r.created_at >= :since)
