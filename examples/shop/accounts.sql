-- Only authors have accounts in Pazar, not buyers.
SELECT
  username,
  email,
  first_name                          AS `name.firstname`,
  last_name                           AS `name.lastname`,
  CONCAT_WS(' ', first_name, last_name) AS `name.full_name`,
  balance,
  'USD'                               AS currency,
  headline                            AS `profile.heading`,
  COALESCE(bio, '')                   AS `profile.description`,
  support_email                       AS `profile.contact.email`,
  website                             AS `profile.social_links.website`,
  x_url                               AS `profile.social_links.x`,
  COALESCE(NULLIF(avatar, ''), '/images/author.png') AS `profile.media.avatar`,
  COALESCE(NULLIF(cover, ''), '/images/cover.png') AS `profile.media.cover`,
  api_key,
  is_banned                           AS suspended,
  created_at                          AS registered_at
FROM users
WHERE role = 'author' AND updated_at >= :since
