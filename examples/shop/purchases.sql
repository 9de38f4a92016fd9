-- One purchase per license. Payments, cancellations and refunds change other rows, so their dates are compared, too.
-- A sold license stays selected, with `revoked`: Pazar keeps records that are no longer selected.
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
FROM licenses l
JOIN orders o ON o.id = l.order_id
JOIN users buyer ON buyer.id = o.user_id
LEFT JOIN refunds r ON r.license_id = l.id
WHERE o.status <> 'open'
  AND (l.updated_at >= :since OR o.updated_at >= :since OR r.created_at >= :since)
