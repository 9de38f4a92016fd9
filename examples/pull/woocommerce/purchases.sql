-- One purchase a line of an order. WooCommerce has no purchase codes: the code is that of a plugin of yours, in the meta
-- `_purchase_code` of the line, or else the key of the order and the number of the line, as in wc_order_Ab12Cd34-7.
-- An order of several vendors is a parent with all lines and a child for each vendor: the parent is left out.
-- A line is revoked when its order is refunded or, once completed, cancelled, failed, in the trash, unpaid or on hold, as after a chargeback,
-- and when the whole line is refunded: a part of the price given back revokes nothing.
-- The order of the tables and their indexes are given: with old statistics the database chooses slow ones.
SELECT STRAIGHT_JOIN
  COALESCE(NULLIF(code.meta_value, ''), CONCAT(operational.order_key, '-', line.order_item_id)) AS purchase_code,
  product.meta_value AS item_id,
  COALESCE(licence.meta_value, 'Regular') AS license_type,
  total.meta_value AS price,
  o.currency,
  DATE_ADD(o.date_created_gmt, INTERVAL 6 MONTH) AS supported_until,
  EXISTS (SELECT 1 FROM wp_woocommerce_downloadable_product_permissions d FORCE INDEX (order_id)
    JOIN wp_woocommerce_order_itemmeta sold FORCE INDEX (order_item_id) ON sold.order_item_id = line.order_item_id
      AND sold.meta_key IN ('_product_id', '_variation_id') AND sold.meta_value = d.product_id
    WHERE d.order_id = o.id AND d.download_count > 0) AS downloaded,
  o.date_created_gmt AS date,
  buyer.user_login AS buyer,
  o.status NOT IN ('wc-completed', 'wc-processing') OR COALESCE(refund.quantity >= quantity.meta_value OR refund.total >= ROUND(total.meta_value, 2), FALSE) AS revoked
FROM wp_wc_orders o
JOIN wp_wc_order_operational_data operational FORCE INDEX (order_id) ON operational.order_id = o.id
JOIN wp_woocommerce_order_items line FORCE INDEX (order_id) ON line.order_id = o.id AND line.order_item_type = 'line_item'
JOIN wp_woocommerce_order_itemmeta product FORCE INDEX (order_item_id) ON product.order_item_id = line.order_item_id AND product.meta_key = '_product_id'
JOIN wp_woocommerce_order_itemmeta quantity FORCE INDEX (order_item_id) ON quantity.order_item_id = line.order_item_id AND quantity.meta_key = '_qty'
JOIN wp_woocommerce_order_itemmeta total FORCE INDEX (order_item_id) ON total.order_item_id = line.order_item_id AND total.meta_key = '_line_total'
LEFT JOIN wp_woocommerce_order_itemmeta licence FORCE INDEX (order_item_id) ON licence.order_item_id = line.order_item_id AND licence.meta_key = 'license'
LEFT JOIN wp_woocommerce_order_itemmeta code FORCE INDEX (order_item_id) ON code.order_item_id = line.order_item_id AND code.meta_key = '_purchase_code'
LEFT JOIN (
  -- `line` as a number, which the database can index. What is refunded has negative quantities and totals.
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
LEFT JOIN wp_users buyer ON buyer.ID = o.customer_id
WHERE o.type = 'shop_order'
  AND (o.status IN ('wc-completed', 'wc-refunded')
    OR o.status IN ('wc-processing', 'wc-pending', 'wc-on-hold', 'wc-cancelled', 'wc-failed', 'trash') AND operational.date_completed_gmt IS NOT NULL)
  AND NOT EXISTS (SELECT 1 FROM wp_wc_orders_meta parent WHERE parent.order_id = o.id AND parent.meta_key = 'has_sub_order' AND parent.meta_value = '1')
  AND (o.date_updated_gmt IS NULL OR o.date_updated_gmt >= :since OR refund.at >= :since)
