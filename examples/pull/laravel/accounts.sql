-- The links of a profile are names at the networks. Add the networks that your authors have.
SELECT
  username,
  email,
  firstname AS `name.firstname`,
  lastname AS `name.lastname`,
  CONCAT_WS(' ', firstname, lastname) AS `name.full_name`,
  balance,
  'USD' AS currency,
  COALESCE(profile_heading, '') AS `profile.heading`,
  COALESCE(profile_description, '') AS `profile.description`,
  COALESCE(profile_contact_email, email) AS `profile.contact.email`,
  CONCAT('https://facebook.com/', NULLIF(JSON_VALUE(profile_social_links, '$.facebook'), '')) AS `profile.social_links.facebook`,
  CONCAT('https://x.com/', NULLIF(JSON_VALUE(profile_social_links, '$.x'), '')) AS `profile.social_links.x`,
  CONCAT('https://linkedin.com/in/', NULLIF(JSON_VALUE(profile_social_links, '$.linkedin'), '')) AS `profile.social_links.linkedin`,
  avatar AS `profile.media.avatar`,
  profile_cover AS `profile.media.cover`,
  api_key,
  status = 0 AS suspended,
  created_at AS registered_at
FROM users
WHERE is_author = 1 AND username IS NOT NULL AND updated_at >= :since
