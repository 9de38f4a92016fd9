-- One purchase per license of Software Licensing. The purchase code is the license key. The price is taken from the order
-- line, so each license of a bundle has the price of the bundle. Licenses have no modification date: a renewal changes its
-- order, but only a full sync finds a license that was disabled by hand. Licenses of orders on hold (disputes) are revoked.
SELECT STRAIGHT_JOIN
  l.license_key AS purchase_code,
  l.download_id AS item_id,
  IF(l.price_id = 2, 'Extended', 'Regular') AS license_type,
  COALESCE(i.total, o.total) AS price,
  o.currency,
  IF(l.expiration > 0, FROM_UNIXTIME(l.expiration), NULL) AS supported_until,
  -- Remove this line if products work after their license has expired.
  IF(l.expiration > 0, FROM_UNIXTIME(l.expiration), NULL) AS valid_until,
  0 AS downloaded,
  o.date_created AS date,
  buyer.user_login AS buyer,
  o.status NOT IN ('complete', 'partially_refunded') OR COALESCE(i.status, '') = 'refunded' OR l.status = 'disabled' AS revoked
FROM wp_edd_licenses l
JOIN wp_edd_orders o ON o.id = l.payment_id
-- A license of a bundle and its order line have different downloads but the same cart index.
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
