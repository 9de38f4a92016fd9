-- One purchase a licence of Software Licensing; the code is the licence key, and the price that of the line of the order, so each
-- licence of a bundle has the price of the bundle. A licence has no date of its last change: a renewal is noticed by its order,
-- but one that you disable by hand comes with the nightly `pazar pull --full`. It is revoked while its order is on hold, as in a dispute.
SELECT STRAIGHT_JOIN
  l.license_key AS purchase_code,
  l.download_id AS item_id,
  IF(l.price_id = 2, 'Extended', 'Regular') AS license_type,
  COALESCE(i.total, o.total) AS price,
  o.currency,
  IF(l.expiration > 0, FROM_UNIXTIME(l.expiration), NULL) AS supported_until,
  0 AS downloaded,
  o.date_created AS date,
  buyer.user_login AS buyer,
  o.status NOT IN ('complete', 'partially_refunded') OR COALESCE(i.status, '') = 'refunded' OR l.status = 'disabled' AS revoked
FROM wp_edd_licenses l
JOIN wp_edd_orders o ON o.id = l.payment_id
-- A licence of a bundle is for another download than the line: the place in the cart is what they share.
LEFT JOIN wp_edd_order_items i ON i.id = (
  SELECT sold.id FROM wp_edd_order_items sold FORCE INDEX (order_product_price_id)
  WHERE sold.order_id = o.id AND sold.cart_index = l.cart_index
  ORDER BY sold.product_id = l.download_id DESC, sold.id LIMIT 1)
LEFT JOIN wp_users buyer ON buyer.ID = l.user_id
WHERE o.type = 'sale'
  AND o.status IN ('complete', 'partially_refunded', 'refunded', 'revoked', 'on_hold', 'failed', 'abandoned', 'trash')
  AND l.license_key <> '' AND l.status <> 'private'
  AND (o.date_modified >= :since OR i.date_modified >= :since OR EXISTS (
    SELECT 1 FROM wp_edd_licensemeta m JOIN wp_edd_orders renewal ON renewal.id = m.meta_value
    WHERE m.license_id = l.id AND m.meta_key = '_edd_sl_payment_id' AND renewal.date_modified >= :since))
