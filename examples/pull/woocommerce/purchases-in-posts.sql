-- Replaces purchases.sql in shops that store orders as WordPress posts.
SELECT STRAIGHT_JOIN
  COALESCE(NULLIF(code.meta_value, ''), CONCAT(order_key.meta_value, '-', line.order_item_id)) AS purchase_code,
  product.meta_value AS item_id,
  COALESCE(license.meta_value, 'Regular') AS license_type,
  total.meta_value AS price,
  currency.meta_value AS currency,
  DATE_ADD(o.post_date_gmt, INTERVAL 6 MONTH) AS supported_until,
  EXISTS (SELECT 1 FROM wp_woocommerce_downloadable_product_permissions d FORCE INDEX (order_id)
    JOIN wp_woocommerce_order_itemmeta sold FORCE INDEX (order_item_id) ON sold.order_item_id = line.order_item_id
      AND sold.meta_key IN ('_product_id', '_variation_id') AND sold.meta_value = d.product_id
    WHERE d.order_id = o.ID AND d.download_count > 0) AS downloaded,
  subscription.ends_at AS valid_until,
  o.post_date_gmt AS date,
  buyer.user_login AS buyer,
  o.post_status NOT IN ('wc-completed', 'wc-processing') OR COALESCE(refund.quantity >= quantity.meta_value OR refund.total >= ROUND(total.meta_value, 2), FALSE) AS revoked
FROM wp_posts o
JOIN wp_postmeta order_key FORCE INDEX (post_id) ON order_key.post_id = o.ID AND order_key.meta_key = '_order_key'
JOIN wp_postmeta currency FORCE INDEX (post_id) ON currency.post_id = o.ID AND currency.meta_key = '_order_currency'
LEFT JOIN wp_postmeta customer FORCE INDEX (post_id) ON customer.post_id = o.ID AND customer.meta_key = '_customer_user'
LEFT JOIN wp_postmeta completed FORCE INDEX (post_id) ON completed.post_id = o.ID AND completed.meta_key = '_date_completed'
JOIN wp_woocommerce_order_items line FORCE INDEX (order_id) ON line.order_id = o.ID AND line.order_item_type = 'line_item'
JOIN wp_woocommerce_order_itemmeta product FORCE INDEX (order_item_id) ON product.order_item_id = line.order_item_id AND product.meta_key = '_product_id'
JOIN wp_woocommerce_order_itemmeta quantity FORCE INDEX (order_item_id) ON quantity.order_item_id = line.order_item_id AND quantity.meta_key = '_qty'
JOIN wp_woocommerce_order_itemmeta total FORCE INDEX (order_item_id) ON total.order_item_id = line.order_item_id AND total.meta_key = '_line_total'
LEFT JOIN wp_woocommerce_order_itemmeta license FORCE INDEX (order_item_id) ON license.order_item_id = line.order_item_id AND license.meta_key = 'license'
LEFT JOIN wp_woocommerce_order_itemmeta code FORCE INDEX (order_item_id) ON code.order_item_id = line.order_item_id AND code.meta_key = '_purchase_code'
LEFT JOIN (
  SELECT CAST(m.meta_value AS UNSIGNED) AS line, -SUM(quantity.meta_value) AS quantity, -ROUND(SUM(total.meta_value), 2) AS total,
    MAX(refund.post_date_gmt) AS at
  FROM wp_posts refund
  JOIN wp_woocommerce_order_items i ON i.order_id = refund.ID
  JOIN wp_woocommerce_order_itemmeta m ON m.order_item_id = i.order_item_id AND m.meta_key = '_refunded_item_id'
  JOIN wp_woocommerce_order_itemmeta quantity ON quantity.order_item_id = i.order_item_id AND quantity.meta_key = '_qty'
  JOIN wp_woocommerce_order_itemmeta total ON total.order_item_id = i.order_item_id AND total.meta_key = '_line_total'
  WHERE refund.post_type = 'shop_order_refund'
  GROUP BY line
) refund ON refund.line = line.order_item_id
LEFT JOIN (
  SELECT s.post_parent AS order_id, MAX(NULLIF(ends.meta_value, '0')) AS ends_at, MAX(s.post_modified_gmt) AS at
  FROM wp_posts s
  JOIN wp_postmeta ends ON ends.post_id = s.ID AND ends.meta_key = '_schedule_end'
  WHERE s.post_type = 'shop_subscription'
  GROUP BY s.post_parent
) subscription ON subscription.order_id = COALESCE(NULLIF(o.post_parent, 0), o.ID)
LEFT JOIN wp_users buyer ON buyer.ID = customer.meta_value
WHERE o.post_type = 'shop_order'
  AND (o.post_status IN ('wc-completed', 'wc-refunded')
    OR o.post_status IN ('wc-processing', 'wc-pending', 'wc-on-hold', 'wc-cancelled', 'wc-failed', 'trash') AND completed.meta_value <> '')
  AND NOT EXISTS (SELECT 1 FROM wp_postmeta parent WHERE parent.post_id = o.ID AND parent.meta_key = 'has_sub_order' AND parent.meta_value = '1')
  AND (o.post_modified_gmt >= :since OR refund.at >= :since OR subscription.at >= :since)
