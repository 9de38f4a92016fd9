-- Vendors of Frontend Submissions. Pending vendors are omitted; all others who are not approved are suspended.
-- EDD Commissions stores balances elsewhere: replace the 0 if you need them.
SELECT STRAIGHT_JOIN
  u.user_login AS username,
  u.user_email AS email,
  COALESCE(first.meta_value, '') AS `name.firstname`,
  COALESCE(last.meta_value, '') AS `name.lastname`,
  u.display_name AS `name.full_name`,
  0 AS balance,
  'USD' AS currency,
  v.name AS `profile.heading`,
  COALESCE(bio.meta_value, '') AS `profile.description`,
  v.email AS `profile.contact.email`,
  NULLIF(u.user_url, '') AS `profile.social_links.website`,
  '/images/author.png' AS `profile.media.avatar`,
  '/images/cover.png' AS `profile.media.cover`,
  v.status <> 'approved' AS suspended,
  u.user_registered AS registered_at
FROM wp_users u
JOIN wp_fes_vendors v ON v.user_id = u.ID
LEFT JOIN wp_usermeta first FORCE INDEX (user_id) ON first.user_id = u.ID AND first.meta_key = 'first_name'
LEFT JOIN wp_usermeta last FORCE INDEX (user_id) ON last.user_id = u.ID AND last.meta_key = 'last_name'
LEFT JOIN wp_usermeta bio FORCE INDEX (user_id) ON bio.user_id = u.ID AND bio.meta_key = 'description'
WHERE v.status <> 'pending'
