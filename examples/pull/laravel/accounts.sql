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
  profile_social_links AS `profile.social_links`,
  avatar AS `profile.media.avatar`,
  profile_cover AS `profile.media.cover`,
  api_key,
  status = 0 AS suspended,
  created_at AS registered_at
FROM users
WHERE is_author = 1 AND updated_at >= :since
