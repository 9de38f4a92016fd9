-- One purchase a licence of Software Licensing; the code is the licence key. A licence has no date of its last change: one that
-- you disable by hand comes with the nightly `pazar pull --full`.
SELECT STRAIGHT_JOIN
  l.license_key AS purchase_code,
  l.download_id AS item_id,
  IF(l.price_id = 2, 'Extended', 'Regular') AS license_type,
  i.total AS price,
  o.currency,
  IF(l.expiration > 0, FROM_UNIXTIME(l.expiration), NULL) AS supported_until,
  0 AS downloaded,
  l.date_created AS date,
  buyer.user_login AS buyer,
  o.status IN ('refunded', 'revoked') OR i.status = 'refunded' OR l.status = 'disabled' AS revoked
FROM wp_edd_licenses l
JOIN wp_edd_orders o ON o.id = l.payment_id
JOIN wp_edd_order_items i FORCE INDEX (order_product_price_id) ON i.order_id = o.id AND i.product_id = l.download_id AND i.cart_index = l.cart_index
LEFT JOIN wp_users buyer ON buyer.ID = l.user_id
WHERE o.type = 'sale'
  AND o.status IN ('complete', 'partially_refunded', 'refunded', 'revoked')
  AND (l.date_created >= :since OR o.date_modified >= :since OR i.date_modified >= :since)
