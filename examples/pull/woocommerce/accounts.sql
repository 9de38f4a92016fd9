-- Vendors of Dokan. Vendors who may not sell are suspended. The balance is the one that Dokan shows, without its withdrawal
-- delay. Adapt the order statuses if your withdrawals count others.
SELECT STRAIGHT_JOIN
  u.user_login AS username,
  u.user_email AS email,
  COALESCE(first.meta_value, '') AS `name.firstname`,
  COALESCE(last.meta_value, '') AS `name.lastname`,
  u.display_name AS `name.full_name`,
  COALESCE(balance.amount, 0) AS balance,
  'USD' AS currency,
  COALESCE(store.meta_value, u.display_name) AS `profile.heading`,
  COALESCE(bio.meta_value, '') AS `profile.description`,
  u.user_email AS `profile.contact.email`,
  NULLIF(u.user_url, '') AS `profile.social_links.website`,
  '/images/author.png' AS `profile.media.avatar`,
  '/images/cover.png' AS `profile.media.cover`,
  selling.meta_value = 'no' AS suspended,
  u.user_registered AS registered_at
FROM wp_users u
JOIN wp_usermeta selling FORCE INDEX (user_id) ON selling.user_id = u.ID AND selling.meta_key = 'dokan_enable_selling'
LEFT JOIN wp_usermeta store FORCE INDEX (user_id) ON store.user_id = u.ID AND store.meta_key = 'dokan_store_name'
LEFT JOIN wp_usermeta first FORCE INDEX (user_id) ON first.user_id = u.ID AND first.meta_key = 'first_name'
LEFT JOIN wp_usermeta last FORCE INDEX (user_id) ON last.user_id = u.ID AND last.meta_key = 'last_name'
LEFT JOIN wp_usermeta bio FORCE INDEX (user_id) ON bio.user_id = u.ID AND bio.meta_key = 'description'
LEFT JOIN (
  SELECT vendor_id, ROUND(SUM(IF(status IN ('wc-completed', 'wc-refunded'), debit, 0) - credit), 2) AS amount
  FROM wp_dokan_vendor_balance WHERE balance_date <= NOW() GROUP BY vendor_id
) balance ON balance.vendor_id = u.ID
