-- One purchase per order line. WooCommerce has no purchase codes: the code is the line's meta `_purchase_code`, set by a plugin,
-- or the order key and the line number, such as wc_order_Ab12Cd34-7.
-- An order with several vendors is a parent order plus one child order per vendor. The parent is omitted.
-- A line is revoked if it is refunded completely or if its order is refunded. It is also revoked if its order, once completed, is
-- canceled, failed, trashed, unpaid or on hold, as after a chargeback. A partial refund revokes nothing.
-- The purchase of a subscription (WooCommerce Subscriptions) is valid until the end of the subscription, if it has one.
-- STRAIGHT_JOIN and FORCE INDEX avoid slow plans on outdated statistics.
SELECT STRAIGHT_JOIN
  COALESCE(NULLIF(code.meta_value, ''), CONCAT(operational.order_key, '-', line.order_item_id)) AS purchase_code,
  product.meta_value AS item_id,
  COALESCE(license.meta_value, 'Regular') AS license_type,
  total.meta_value AS price,
  o.currency,
  DATE_ADD(o.date_created_gmt, INTERVAL 6 MONTH) AS supported_until,
  EXISTS (SELECT 1 FROM wp_woocommerce_downloadable_product_permissions d FORCE INDEX (order_id)
    JOIN wp_woocommerce_order_itemmeta sold FORCE INDEX (order_item_id) ON sold.order_item_id = line.order_item_id
      AND sold.meta_key IN ('_product_id', '_variation_id') AND sold.meta_value = d.product_id
    WHERE d.order_id = o.id AND d.download_count > 0) AS downloaded,
  subscription.ends_at AS valid_until,
  o.date_created_gmt AS date,
  buyer.user_login AS buyer,
  o.status NOT IN ('wc-completed', 'wc-processing') OR COALESCE(refund.quantity >= quantity.meta_value OR refund.total >= ROUND(total.meta_value, 2), FALSE) AS revoked
FROM wp_wc_orders o
JOIN wp_wc_order_operational_data operational FORCE INDEX (order_id) ON operational.order_id = o.id
JOIN wp_woocommerce_order_items line FORCE INDEX (order_id) ON line.order_id = o.id AND line.order_item_type = 'line_item'
JOIN wp_woocommerce_order_itemmeta product FORCE INDEX (order_item_id) ON product.order_item_id = line.order_item_id AND product.meta_key = '_product_id'
JOIN wp_woocommerce_order_itemmeta quantity FORCE INDEX (order_item_id) ON quantity.order_item_id = line.order_item_id AND quantity.meta_key = '_qty'
JOIN wp_woocommerce_order_itemmeta total FORCE INDEX (order_item_id) ON total.order_item_id = line.order_item_id AND total.meta_key = '_line_total'
LEFT JOIN wp_woocommerce_order_itemmeta license FORCE INDEX (order_item_id) ON license.order_item_id = line.order_item_id AND license.meta_key = 'license'
LEFT JOIN wp_woocommerce_order_itemmeta code FORCE INDEX (order_item_id) ON code.order_item_id = line.order_item_id AND code.meta_key = '_purchase_code'
LEFT JOIN (
  -- CAST makes `line` a number that the database can index. Refunds have negative quantities and totals.
  SELECT CAST(m.meta_value AS UNSIGNED) AS line, -SUM(quantity.meta_value) AS quantity, -ROUND(SUM(total.meta_value), 2) AS total,
    MAX(refund.date_created_gmt) AS at
  FROM wp_wc_orders refund
  JOIN wp_woocommerce_order_items i ON i.order_id = refund.id
  JOIN wp_woocommerce_order_itemmeta m ON m.order_item_id = i.order_item_id AND m.meta_key = '_refunded_item_id'
  JOIN wp_woocommerce_order_itemmeta quantity ON quantity.order_item_id = i.order_item_id AND quantity.meta_key = '_qty'
  JOIN wp_woocommerce_order_itemmeta total ON total.order_item_id = i.order_item_id AND total.meta_key = '_line_total'
  WHERE refund.type = 'shop_order_refund'
  GROUP BY line
) refund ON refund.line = line.order_item_id
LEFT JOIN (
  SELECT s.parent_order_id AS order_id, MAX(NULLIF(ends.meta_value, '0')) AS ends_at, MAX(s.date_updated_gmt) AS at
  FROM wp_wc_orders s
  JOIN wp_wc_orders_meta ends ON ends.order_id = s.id AND ends.meta_key = '_schedule_end'
  WHERE s.type = 'shop_subscription'
  GROUP BY s.parent_order_id
) subscription ON subscription.order_id = COALESCE(NULLIF(o.parent_order_id, 0), o.id)
LEFT JOIN wp_users buyer ON buyer.ID = o.customer_id
WHERE o.type = 'shop_order'
  AND (o.status IN ('wc-completed', 'wc-refunded')
    OR o.status IN ('wc-processing', 'wc-pending', 'wc-on-hold', 'wc-cancelled', 'wc-failed', 'trash') AND operational.date_completed_gmt IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM wp_wc_orders_meta parent WHERE parent.order_id = o.id AND parent.meta_key = 'has_sub_order' AND parent.meta_value = '1')
  AND (o.date_updated_gmt IS NULL OR o.date_updated_gmt >= :since OR refund.at >= :since OR subscription.at >= :since)
