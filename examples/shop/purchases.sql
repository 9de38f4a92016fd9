-- One purchase a licence. A payment, a cancellation and a refund count as changes of their licence. A row that is no
-- longer selected changes nothing in Pazar: what was sold once stays here, and says that it is revoked.
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
  r.id IS NOT NULL OR o.status = 'cancelled' AS revoked
FROM licences l
JOIN orders o ON o.id = l.order_id
JOIN users buyer ON buyer.id = o.user_id
LEFT JOIN refunds r ON r.licence_id = l.id
WHERE o.status <> 'open'
  AND (l.updated_at >= :since OR o.updated_at >= :since OR r.created_at >= :since)
